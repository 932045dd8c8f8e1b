package io.onbeat.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.broker.BrokerSettings;
import io.onbeat.lock.LockSettings;
import io.onbeat.schedule.Schedule;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import io.onbeat.task.builtin.CeleryTask;
import io.onbeat.worker.execute.ArgsCheck.Finding;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a schedule's args is known before there is a run. */
class ArgsCheckTest {
    private final ArgsCheck check = new ArgsCheck(TaskRegistry.load(
            new TaskSettings(
                    Optional.empty(), Set.of("*", "exec"), false, Map.of(), 1, new LockSettings(Optional.empty())),
            List.of(new CeleryTask(new BrokerSettings("", "", "", "onbeat"), "check")),
            List.of(new Bill(), new ToolUser())));

    static final class Bill implements Task {
        enum Kind {
            PAPER,
            MAIL
        }

        record Line(int amount) {}

        record Args(String customer, Integer batch, Kind kind, List<Line> lines) {
            Args {
                batch = batch == null ? 5 : batch;
                if (customer == null) {
                    throw new IllegalArgumentException("customer is missing");
                }
                if (batch < 1) {
                    throw new IllegalArgumentException("batch must be at least 1, not " + batch);
                }
            }
        }

        @Override
        public String name() {
            return "bill";
        }

        @Override
        public Object run(TaskContext context) {
            throw new AssertionError("a check runs nothing");
        }
    }

    static final class ToolUser implements Task {
        @Override
        public String name() {
            return "tool-user";
        }

        @Override
        public Object run(TaskContext context) {
            return null;
        }

        @Override
        public void checkArgs(TaskContext context) {
            context.dataSource("ledger");
        }
    }

    private Optional<Finding> check(String task, String args) {
        return check.check(
                Schedule.fromJson("s", "{\"every\":\"1h\",\"task\":\"%s\",\"args\":%s}".formatted(task, args)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "bill | {\"customer\":\"a\",\"bach\":3} | args.bach: unknown argument \"bach\"; known are batch, customer, kind, lines; did you mean \"batch\"?",
                "bill | {\"customer\":\"a\",\"batch\":\"many\"} | args.batch: \"many\" is not a whole number",
                "bill | {\"customer\":\"a\",\"batch\":1.5} | args.batch: 1.5 is not a whole number",
                "bill | {\"customer\":[1],\"batch\":3} | args.customer: [1] is not a text",
                "bill | {\"customer\":\"a\",\"kind\":\"FAX\"} | args.kind: \"FAX\" is not one of PAPER, MAIL",
                "bill | {\"customer\":\"a\",\"lines\":[{\"amount\":1},{\"amount\":true}]} | args.lines[1].amount: true is not a whole number",
                "bill | {\"batch\":3} | args: {\"batch\":3} is refused: customer is missing",
                "bill | {\"customer\":\"a\",\"batch\":0} | args: {\"customer\":\"a\",\"batch\":0} is refused: batch must be at least 1, not 0",
                "http | {\"urll\":\"http://x/y\"} | http: unknown argument \"urll\"; it takes url, method, headers, body, expect, timeout; did you mean \"url\"?",
                "http | {\"url\":\"ftp://x\"} | http: the argument \"url\" must be an http or https URL such as https://orders.internal/sync, not \"ftp://x\"",
                "http | {\"url\":\"http://${env:ONBEAT_AMQP_PASSWORD}/\"} | its args name ONBEAT_AMQP_PASSWORD: Onbeat's own settings are not for tasks",
                "exec | {} | exec: the argument \"command\" is missing; it must be a list such as [python3, mail.py] (there is no shell: [sh, -c, …] starts one)",
                "sql | {\"statements\":[\"select :x\"]} | sql: statement 1 uses :x, which the argument \"params\" does not hold",
                "rows | {\"table\":\"t\",\"status\":{\"column\":\"s\",\"from\":\"a\",\"to\":\"b\"}} | rows: it takes one of \"sql\" and \"http\", and there is neither",
                "celery | {} | celery: the argument \"task\" is missing; it must be the name of a Celery task, such as shop.tasks.settle"
            })
    void whatNoRunCouldWorkWithIsToldWithFieldAndValue(String task, String args, String message) {
        assertThat(check(task, args)).contains(new Finding.Wrong(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "bill | {\"customer\":\"a\"}",
                "bill | {\"customer\":\"${env:CUSTOMER}\",\"batch\":\"${env:BATCH}\"}",
                "noop | {\"anything\":[1]}",
                "http | {\"url\":\"${env:BASE}/sync\",\"timeout\":\"${env:LIMIT}\",\"headers\":{\"Authorization\":\"Bearer ${env:TOKEN}\"}}",
                "http | {\"url\":\"https://${env:HOST}:${env:PORT}/sync\"}",
                "exec | {\"command\":[\"sh\",\"-c\",\"exit\"],\"cwd\":\"/nowhere\"}",
                "sql | {\"statements\":[\"select :x, :run_key\"],\"params\":{\"x\":1}}",
                "rows | {\"table\":\"t\",\"status\":{\"from\":\"a\",\"to\":\"b\"},\"http\":{\"url\":\"http://x/${row:id}\"}}",
                "celery | {\"task\":\"shop.settle\",\"kwargs\":{\"a\":1}}"
            })
    void whatARunCouldWorkWithIsInOrderWhateverTheWorkersVariablesAre(String task, String args) {
        assertThat(check(task, args)).isEmpty();
    }

    @Test
    void aTaskThatIsNotHereIsNoMistakeOfTheArgs() {
        assertThat(check("bil", "{}")).contains(new Finding.NoTask("no task \"bil\" here; did you mean \"bill\"?"));
    }

    @Test
    void aCheckThatDoesNotWorkIsToldApart() {
        assertThat(check("tool-user", "{}").orElseThrow()).isInstanceOf(Finding.Unchecked.class);
    }
}
