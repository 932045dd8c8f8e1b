package io.onbeat.beat.cli;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.OnceSteps.Begun;
import io.onbeat.schedule.Durations;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "once",
        description = {
            "Run COMMAND only where KEY is not on record as finished. When it exits with 0, that is put on record, with the"
                    + " last line of its output that is a JSON object or array. Called again, this prints that line and"
                    + " runs nothing.",
            "At least once: a machine that dies in COMMAND, or after it and before the record, leaves a start without a"
                    + " finish, and the next call runs COMMAND again."
        },
        exitCodeList = {
            "0:done, now or before",
            "1:the ledger is away, or the lease was lost and COMMAND was ended",
            "2:asked wrongly: a wrong word, value or setting",
            "75:somebody else is at it just now",
            "others:COMMAND's own; nothing was put on record, and the next call runs it again"
        },
        footer = {
            "",
            "Examples:",
            "  onbeat once invoices-2026-07 -- ./send-invoices.sh 2026-07",
            "  onbeat once \"$ONBEAT_RUN_KEY/mail\" --lease 1m -- python3 mail.py"
        })
final class OnceCommand extends HelpedCommand implements Callable<Integer> {
    private static final int BUSY = 75;
    private static final int LONGEST_KEY = 500;
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final String RUN_KEY = "ONBEAT_RUN_KEY";

    @Parameters(index = "0", paramLabel = "KEY", description = "What is done once.")
    private String key;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description = "How long a start counts when its machine has died; renewed while COMMAND runs.")
    private String lease;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "COMMAND",
            description = "The program and its arguments, behind --.")
    private List<String> command;

    @Override
    public Integer call() throws Exception {
        if (key.isBlank() || key.length() > LONGEST_KEY) {
            throw new UsageError(
                    "KEY \"" + Printable.brief(key, 60) + "\" must have 1 to " + LONGEST_KEY + " characters");
        }
        Duration length = CliCommand.value("--lease", lease, Durations::parse);
        if (length.compareTo(SHORTEST) < 0) {
            throw new UsageError("--lease " + lease + " is less than " + Durations.format(SHORTEST));
        }
        Map<String, String> environment = OnbeatCli.environment(spec);
        String who = Optional.ofNullable(environment.get(RUN_KEY)).orElseGet(LedgerCommand::actor);
        return AtLedger.ask(environment, (ledger, servers) -> once(ledger, length, who));
    }

    private int once(Ledger ledger, Duration length, String who) throws Exception {
        try (OnceStart start = new OnceStart(ledger, key, length)) {
            Begun begun = start.begin(who);
            if (begun instanceof Begun.Finished finished) {
                finished.result().ifPresent(this::print);
                return 0;
            }
            if (begun instanceof Begun.Busy busy) {
                spec.commandLine()
                        .getErr()
                        .println("onbeat: " + Printable.line(key + ": " + busy.runKey() + " is at it just now"));
                return BUSY;
            }
            return run(start, ((Begun.Started) begun).start(), length);
        }
    }

    private int run(OnceStart start, int number, Duration length)
            throws IOException, InterruptedException, SQLException {
        PrintWriter out = spec.commandLine().getOut();
        try (ForegroundCommand work = new ForegroundCommand(command, told(number), out)) {
            start.keep(work::end);
            int exit = work.run();
            if (start.isLost()) {
                throw new Failed("the lease of " + key + " was lost, and the command was ended: another may be at it");
            }
            if (exit != 0) {
                start.giveUp();
                return exit;
            }
            if (!finish(start, work.result(), length)) {
                throw new Failed(
                        "the command has ended well, but another had taken " + key + " over: both may have done it");
            }
            return 0;
        }
    }

    private Map<String, String> told(int number) {
        return Map.of("ONBEAT_ONCE_KEY", key, "ONBEAT_ONCE_START", Integer.toString(number));
    }

    // the lease goes on meanwhile, so that nobody begins again because of a short outage
    private boolean finish(OnceStart start, Optional<String> result, Duration length)
            throws SQLException, InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        while (true) {
            try {
                return start.finish(result);
            } catch (SQLException away) {
                if (System.nanoTime() - end >= 0) {
                    throw away;
                }
                TimeUnit.SECONDS.sleep(1);
            }
        }
    }

    private void print(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
