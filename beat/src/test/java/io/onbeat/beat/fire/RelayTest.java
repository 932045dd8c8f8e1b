package io.onbeat.beat.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.GetResponse;
import io.onbeat.ledger.LedgerRuns;
import io.onbeat.ledger.Outbox;
import io.onbeat.ledger.TestLedger;
import io.onbeat.local.ManagementApi;
import io.onbeat.local.TestServices;
import io.onbeat.message.TaskMessage;
import io.onbeat.run.Attempt;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayTest {
    private final TestLedger test = new TestLedger();
    private final TestBroker broker = new TestBroker();
    private final LedgerRuns runs = new LedgerRuns(test.ledger());
    private final Relay relay = new Relay(test.ledger(), broker.settings(), "beat");

    RelayTest() throws IOException {}

    @BeforeEach
    void start() {
        relay.start();
    }

    @AfterEach
    void close() {
        relay.close();
        broker.close();
        test.close();
    }

    private List<Attempt> queued(Outbox.Kind kind, String... keys) throws SQLException {
        List<Attempt> attempts = runs.insert(keys);
        test.ledger().transaction(connection -> {
            Outbox.add(connection, kind, attempts.stream().map(Attempt::runId).toList());
            return null;
        });
        return attempts;
    }

    private void awaitEmptyOutbox() {
        await().until(() -> test.number("select count(*) from outbox") == 0);
    }

    private List<GetResponse> messages(String queue) throws IOException {
        List<GetResponse> messages = new ArrayList<>();
        for (Optional<GetResponse> next = broker.take(queue); next.isPresent(); next = broker.take(queue)) {
            messages.add(next.get());
        }
        return messages;
    }

    @Test
    void what_stands_in_the_outbox_is_published_when_this_beat_leads_and_leaves_when_confirmed() throws Exception {
        queued(Outbox.Kind.TASK, "a", "b");
        relay.lead(true);
        awaitEmptyOutbox();
        assertThat(messages("onbeat.task.default"))
                .extracting(message -> message.getProps().getMessageId())
                .containsExactly("a", "b");
    }

    @Test
    void a_standby_leaves_the_outbox_alone() throws Exception {
        queued(Outbox.Kind.TASK, "a");
        relay.lead(false);
        // handed over is published whoever leads: its transaction was this beat's
        List<Attempt> own = runs.insert("own");
        try (var connection = test.ledger().connection()) {
            List<Long> ids = own.stream().map(Attempt::runId).toList();
            long entry = Outbox.add(connection, Outbox.Kind.TASK, ids, Relay.HANDED_OVER_WITHIN);
            relay.handOver(new Outbox.Entry(
                    entry,
                    Outbox.Kind.TASK,
                    ids,
                    0,
                    List.of(LedgerRuns.run("own").firstMessage(ids.get(0))),
                    List.of()));
        }
        await().until(() -> test.number("select count(*) from outbox") == 1);
        assertThat(messages("onbeat.task.default"))
                .extracting(message -> message.getProps().getMessageId())
                .containsExactly("own");
    }

    @Test
    void a_run_that_has_moved_on_needs_no_message_and_its_entry_leaves() throws Exception {
        queued(Outbox.Kind.TASK, "a", "b");
        test.execute("update run set state = 'succeeded', open = false where key = 'a'");
        relay.lead(true);
        awaitEmptyOutbox();
        assertThat(messages("onbeat.task.default"))
                .extracting(message -> message.getProps().getMessageId())
                .containsExactly("b");
    }

    @Test
    void a_dead_message_carries_the_end_of_its_run() throws Exception {
        queued(Outbox.Kind.DEAD, "a");
        test.execute("update run set state = 'dead', open = false, attempt = 3, failures = 3, lease_owner = 'w1',"
                + " error_class = 'java.lang.IllegalStateException', error_message = 'no use'");
        relay.lead(true);
        awaitEmptyOutbox();
        List<GetResponse> dead = messages("onbeat.dead.default");
        assertThat(dead).hasSize(1);
        assertThat(dead.get(0).getProps().getHeaders())
                .containsEntry("dead", 3)
                .containsEntry("failures", 3)
                .extractingByKeys("error_class", "error_message", "worker")
                .extracting(Object::toString)
                .containsExactly("java.lang.IllegalStateException", "no use", "w1");
    }

    @Test
    void a_returned_message_stays_in_the_outbox_and_goes_when_its_queue_is_back() throws Exception {
        relay.lead(true);
        queued(Outbox.Kind.TASK, "a");
        awaitEmptyOutbox();
        broker.channel().queueDelete("onbeat.task.default");
        queued(Outbox.Kind.TASK, "b");
        awaitEmptyOutbox();
        assertThat(messages("onbeat.task.default"))
                .extracting(message -> message.getProps().getMessageId())
                .containsExactly("b");
    }

    @Test
    void messages_are_published_in_the_order_of_their_entries_also_when_more_is_handed_over_than_there_is_room()
            throws Exception {
        List<Outbox.Entry> entries = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            entries.add(reserved("r" + i));
        }
        Relay busy = new Relay(test.ledger(), broker.settings(), "busy");
        entries.subList(0, 100).forEach(busy::handOver);
        busy.lead(true);
        busy.start();
        await().until(() -> test.number("select count(*) from outbox") < 190);
        entries.subList(100, 200).forEach(busy::handOver);
        awaitEmptyOutbox();
        busy.close();
        List<String> published = messages("onbeat.task.default").stream()
                .map(message -> message.getProps().getMessageId())
                .toList();
        assertThat(published)
                .containsExactlyElementsOf(entries.stream()
                        .map(entry -> entry.tasks().get(0).attempt().runKey())
                        .toList());
    }

    @Test
    void what_goes_wrong_in_the_middle_of_an_entry_loses_none_of_its_messages() throws Exception {
        Outbox.Entry written = reserved("a", "b", "c");
        TaskMessage middle = written.tasks().get(1);
        TaskMessage broken = new TaskMessage(
                middle.attempt(),
                middle.origin(),
                middle.schedule(),
                middle.task(),
                middle.queue(),
                middle.fireAt(),
                null,
                middle.traceparent());
        relay.handOver(new Outbox.Entry(
                written.id(),
                written.kind(),
                written.runIds(),
                0,
                List.of(written.tasks().get(0), broken, written.tasks().get(2)),
                List.of()));
        relay.lead(true);
        awaitEmptyOutbox();
        assertThat(messages("onbeat.task.default"))
                .extracting(message -> message.getProps().getMessageId())
                .contains("a", "b", "c");
    }

    @Test
    void b26_what_a_full_queue_refuses_is_told_and_published_when_there_is_room() throws Exception {
        broker.channel()
                .queueDeclare(
                        "onbeat.task.default",
                        true,
                        false,
                        false,
                        Map.of("x-queue-type", "quorum", "x-max-length", 1, "x-overflow", "reject-publish"));
        relay.lead(true);
        Set<String> keys = new HashSet<>();
        await().until(() -> {
            String key = "r" + keys.size();
            keys.add(key);
            queued(Outbox.Kind.TASK, key);
            return relay.trouble().orElse("").contains("queue full");
        });
        Set<String> published = new HashSet<>();
        await().until(() -> {
            messages("onbeat.task.default")
                    .forEach(message -> published.add(message.getProps().getMessageId()));
            return published.equals(keys) && test.number("select count(*) from outbox") == 0;
        });
        await().until(() -> relay.trouble().isEmpty());
    }

    private Outbox.Entry reserved(String... keys) throws SQLException {
        List<Long> ids = runs.insert(keys).stream().map(Attempt::runId).toList();
        List<TaskMessage> messages = new ArrayList<>();
        for (int i = 0; i < keys.length; i++) {
            messages.add(LedgerRuns.run(keys[i]).firstMessage(ids.get(i)));
        }
        try (var connection = test.ledger().connection()) {
            long entry = Outbox.add(connection, Outbox.Kind.TASK, ids, Relay.HANDED_OVER_WITHIN);
            return new Outbox.Entry(entry, Outbox.Kind.TASK, ids, 0, messages, List.of());
        }
    }

    @Test
    void the_outbox_outlives_a_lost_connection() throws Exception {
        relay.lead(true);
        queued(Outbox.Kind.TASK, "a");
        awaitEmptyOutbox();
        closeConnections();
        queued(Outbox.Kind.TASK, "b");
        awaitEmptyOutbox();
        assertThat(messages("onbeat.task.default")).hasSize(2);
    }

    private void closeConnections() {
        String vhost = ManagementApi.encode(broker.vhost().name());
        await().until(() -> TestServices.management()
                .get("/api/vhosts/" + vhost + "/connections")
                .contains("beat relay"));
        for (String name : TestServices.management()
                .get("/api/vhosts/" + vhost + "/connections?columns=name,user_provided_name")
                .split("\\{")) {
            if (name.contains("beat relay")) {
                String id = name.replaceAll(".*\"name\":\"([^\"]*)\".*", "$1");
                TestServices.management().delete("/api/connections/" + ManagementApi.encode(id));
            }
        }
    }
}
