package io.onbeat.verify.faults.check;

import static io.onbeat.verify.faults.check.HealthyHistory.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.LedgerSettings;
import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import io.onbeat.verify.faults.check.Expectations.Dead;
import io.onbeat.verify.faults.check.Queues.DeadMessage;
import io.onbeat.verify.system.Books;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A healthy history breaks no promise, and one with one thing wrong breaks just the promise that this is about. */
class CheckerTest {
    private static final List<String> TABLES = List.of(
            "attempt",
            "skip",
            "outbox",
            "run",
            "verify.start",
            "verify.once",
            "verify.run_journal",
            "verify.schedule_journal",
            "verify.leader_journal");
    private static final DeadMessage DEAD = new DeadMessage("onbeat.dead.default", key("once", 2), 1);
    private static final Queues QUEUES = new Queues(Map.of("onbeat.task.default", 0L), List.of(DEAD));

    private static Database database;
    private static Ledger ledger;
    private static Books books;
    private static Instant end;

    @BeforeAll
    static void writeHistory() throws Exception {
        database = TestServices.freshDatabase();
        ledger = Ledger.open(new LedgerSettings(database.jdbcUrl(), database.user(), database.password(), "onbeat", 2));
        ledger.migrate();
        books = new Books(ledger);
        Journal.open(books);
        HealthyHistory history = new HealthyHistory(books);
        history.write();
        end = history.end();
        books.execute("create schema saved");
        TABLES.forEach(
                table -> books.execute("create table saved." + table.replace('.', '_') + " as select * from " + table));
    }

    @AfterAll
    static void close() {
        ledger.close();
        TestServices.dropDatabase(database);
    }

    @AfterEach
    void mend() {
        List<String> statements = new ArrayList<>();
        TABLES.forEach(table -> statements.add("delete from " + table));
        TABLES.forEach(table -> statements.add(
                "insert into " + table + " overriding system value select * from saved." + table.replace('.', '_')));
        statements.add("alter table run drop constraint if exists run_key_key");
        statements.add("alter table run add constraint run_key_key unique (key)");
        damage(String.join(";", statements));
    }

    // past every trigger, so that nothing keeps a journal of it or forbids it
    private static void damage(String sql) {
        books.execute("set session_replication_role = replica; " + sql + "; set session_replication_role = origin");
    }

    private static List<Violation> check(Expectations expectations) throws Exception {
        try (Watch watch = new Watch(books)) {
            return new Checker(books, watch, expectations).check();
        }
    }

    private static List<Violation> check() throws Exception {
        return check(new Expectations(end, QUEUES, Dead.EXACTLY_ONE));
    }

    private static void assertOnly(List<Violation> violations, String invariant) {
        assertThat(violations)
                .isNotEmpty()
                .allSatisfy(violation ->
                        assertThat(violation.invariant()).as(violation.what()).isEqualTo(invariant));
    }

    @Test
    void aHealthyHistoryBreaksNoPromise() throws Exception {
        assertThat(check()).isEmpty();
    }

    @Test
    void theHealthyHistoryHasEveryKindOfRun() {
        assertThat(books.texts("select distinct outcome from attempt order by 1"))
                .containsExactly("failed", "lost");
        assertThat(books.texts("select distinct state from verify.run_journal order by 1"))
                .containsExactly("waiting", "queued", "running", "retrying", "succeeded", "dead");
        assertThat(books.texts("select distinct reason from skip")).containsExactly("overlap");
    }

    private record Damage(String invariant, String name, String sql) {}

    private static String step(String key, String set, String where) {
        return "update verify.run_journal set " + set + " where key = '" + key + "' and " + where;
    }

    private static String copy(String table, String where, String changes) {
        return """
                insert into %1$s overriding system value
                select (jsonb_populate_record(null::%1$s, to_jsonb(t) || jsonb_build_object('id', 90001, %3$s))).*
                from %1$s as t where %2$s""".formatted(table, where, changes);
    }

    private static String ofKey(String column, String key) {
        return column + " = '" + key + "'";
    }

    private static Stream<Damage> damages() {
        String plain = key("plain", 1);
        String clean = key("plain", 3);
        String once = key("once", 1);
        return Stream.of(
                new Damage(
                        RunRules.ONE_RUN,
                        "two rows of a key",
                        "alter table run drop constraint run_key_key; "
                                + copy("run", ofKey("key", plain), "'open', false")),
                new Damage(
                        RunRules.ONE_SUCCESS,
                        "a second success",
                        copy(
                                "verify.run_journal",
                                ofKey("key", plain) + " and state = 'succeeded'",
                                "'run_id', run_id")),
                new Damage(
                        RunRules.STATES,
                        "a run that had ended is queued again",
                        copy(
                                "verify.run_journal",
                                ofKey("key", plain) + " and state = 'succeeded'",
                                "'was', 'succeeded', 'state', 'queued'")),
                new Damage(
                        RunRules.STATES,
                        "a running run is claimed under another token",
                        copy(
                                "verify.run_journal",
                                ofKey("key", clean) + " and state = 'running'",
                                "'was', 'running', 'attempt_was', 1, 'token_was', gen_random_uuid()")),
                new Damage(
                        RunRules.ATTEMPTS,
                        "a settle raises the attempt",
                        step(plain, "attempt = attempt + 1", "state = 'succeeded'")),
                new Damage(
                        RunRules.FAILURES,
                        "a settle counts two failures",
                        step(plain, "failures = failures_was + 2", "state = 'succeeded'")),
                new Damage(
                        RunRules.FAILURES,
                        "a claim forgets a failure",
                        step(plain, "failures = 0", "state = 'running' and attempt = 2")),
                new Damage(
                        RunRules.CAP,
                        "more failures than the cap",
                        "update run set failures = max_attempts + 1 where " + ofKey("key", plain)),
                new Damage(RunRules.RECORD, "a failure without its row", "delete from attempt where outcome = 'lost'"),
                new Damage(
                        RunRules.TIME,
                        "a claim before the delay is over",
                        step(plain, "at = due_was - interval '1 ms'", "state = 'running' and attempt = 2")),
                new Damage(
                        RunRules.TIME,
                        "a claim before the fire time",
                        step(plain, "at = fire_at - interval '1 ms'", "state = 'running' and attempt = 1")),
                new Damage(
                        RunRules.ALL_ENDED,
                        "a run that is open",
                        "update run set open = true where " + ofKey("key", clean)),
                new Damage(
                        RunRules.OUTBOX,
                        "an entry that nobody published",
                        "insert into outbox (kind, run_ids, try_at) values ('task', '{1}', now())"),
                new Damage(
                        RunRules.TERMS,
                        "a second leader in the same term",
                        "insert into verify.leader_journal (owner_was, owner, term_was, term) values ('a', 'b', 3, 3)"),
                new Damage(
                        RunRules.LIMIT,
                        "three runs of a task that may have two",
                        "update run set task = 'limited-effect' where schedule in ('plain', 'single', 'serial')"),
                new Damage(
                        EffectRules.ONE_START,
                        "an attempt that started twice",
                        copy("verify.start", ofKey("run_key", clean), "'pid', 4712")),
                new Damage(
                        EffectRules.CLAIMED,
                        "a start that nobody claimed",
                        copy("verify.start", ofKey("run_key", clean), "'attempt', 2")),
                new Damage(
                        EffectRules.TIME,
                        "a start before the fire time",
                        "update verify.start set started_at = '2026-07-14T02:00:59Z' where attempt = 1 and "
                                + ofKey("run_key", plain)),
                new Damage(
                        EffectRules.TIME,
                        "a start before the delay is over",
                        "update verify.start set started_at = started_at - interval '1500 ms' where attempt = 2 and "
                                + ofKey("run_key", plain)),
                new Damage(
                        EffectRules.OWN_SUCCESS,
                        "a success whose task did not return",
                        "update verify.start set finished_at = null where " + ofKey("run_key", clean)),
                new Damage(
                        EffectRules.OWN_SUCCESS,
                        "a success before its task returned",
                        "update verify.start set finished_at = finished_at + interval '1 h' where "
                                + ofKey("run_key", clean)),
                new Damage(
                        EffectRules.OWN_FAILURE,
                        "a failure whose task did not throw",
                        "update verify.start set finished_at = null where attempt = 1 and " + ofKey("run_key", plain)),
                new Damage(
                        EffectRules.ONE_EFFECT,
                        "two effects of one success",
                        "insert into verify.once select * from verify.once where " + ofKey("run_key", once)),
                new Damage(
                        EffectRules.ONE_EFFECT,
                        "a success without its effect",
                        "delete from verify.once where " + ofKey("run_key", once)),
                new Damage(
                        EffectRules.NO_EFFECT,
                        "the effect of a dead run",
                        "insert into verify.once values ('" + key("once", 2) + "', 1, 4711)"),
                new Damage(
                        EffectRules.OWN_EFFECT,
                        "the effect of another attempt",
                        "update verify.once set attempt = 2 where " + ofKey("run_key", once)),
                new Damage(
                        Delays.SENTENCE,
                        "a retry that is due at once",
                        "update verify.run_journal set due = at where state = 'retrying'"),
                new Damage(Fires.ACCOUNTED, "a fire without a run", "delete from run where " + ofKey("key", clean)),
                new Damage(Fires.ACCOUNTED, "a fire without a skip", "delete from skip"),
                new Damage(
                        Fires.ONCE,
                        "a skip of a fire that ran",
                        "insert into skip (schedule_id, reason, first, last, count) select schedule_id, 'missed', fire_at,"
                                + " fire_at, 1 from run where " + ofKey("key", clean)),
                new Damage(Fires.ONCE, "a skip that stands twice", copy("skip", "true", "'reason', 'missed'")),
                new Damage(Fires.COUNTED, "a skip that counts too many", "update skip set count = count + 1"),
                new Damage(
                        Fires.DUE,
                        "a run between two fire times",
                        copy(
                                "run",
                                ofKey("key", clean),
                                "'key', 'plain@2026-07-14T02:03:10Z', 'fire_at', '2026-07-14T02:03:10Z', 'state', 'cancelled'")),
                new Damage(
                        Fires.BACKFILLED,
                        "a fire that was run and backfilled",
                        copy(
                                "run",
                                ofKey("key", clean),
                                "'key', 'plain@2026-07-14T02:03:10Z', 'origin', 'backfill', 'state', 'cancelled'")),
                new Damage(
                        Fires.WATERMARK,
                        "a watermark that falls and rises again",
                        copy("verify.schedule_journal", "id = 5", "'watermark', watermark")
                                + "; insert into verify.schedule_journal (id, at, schedule_id, name, spec, rule_hash, watermark,"
                                + " removed) select 90002, at, schedule_id, name, spec, rule_hash, watermark, removed"
                                + " from verify.schedule_journal where id = (select max(id) from verify.schedule_journal"
                                + " where id < 90001 and schedule_id ="
                                + " (select schedule_id from verify.schedule_journal where id = 5))"),
                new Damage(
                        Fires.NOT_AHEAD,
                        "a watermark of a time to come",
                        "update verify.schedule_journal set at = watermark - interval '1 s' where id = 6"),
                new Damage(
                        Overlaps.ONE_ACTIVE,
                        "a run that starts beside another",
                        step(key("single", 1), "id = 90001", "state = 'succeeded'")),
                new Damage(
                        Overlaps.ONE_AT_WORK,
                        "two attempts at work",
                        step(key("single", 1), "at = at + interval '1 h'", "state = 'succeeded'")
                                + "; update verify.start set finished_at = finished_at + interval '1 h' where "
                                + ofKey("run_key", key("single", 1))
                                + "; update run set finished_at = finished_at + interval '1 h' where "
                                + ofKey("key", key("single", 1))));
    }

    @TestFactory
    Stream<DynamicTest> oneThingWrongBreaksJustItsPromise() {
        return damages()
                .map(each -> DynamicTest.dynamicTest(each.name(), () -> {
                    damage(each.sql());
                    try {
                        assertOnly(check(), each.invariant());
                    } finally {
                        mend();
                    }
                }));
    }

    @Test
    void aFireThatIsDueAtTheEndMustBeJudged() throws Exception {
        assertOnly(check(new Expectations(end.plus(Duration.ofMinutes(1)), QUEUES, Dead.EXACTLY_ONE)), Fires.JUDGED);
    }

    @Test
    void aMessageThatIsLeftInAQueueIsFound() throws Exception {
        Queues left = new Queues(Map.of("onbeat.retry.default.1s", 1L), QUEUES.dead());
        assertOnly(check(new Expectations(end, left, Dead.EXACTLY_ONE)), BrokerRules.EMPTY);
    }

    @Test
    void aDeadRunHasItsMessageUnlessTheBrokerLostIt() throws Exception {
        Queues none = new Queues(Map.of(), List.of());
        assertOnly(check(new Expectations(end, none, Dead.AT_LEAST_ONE)), BrokerRules.DEAD);
        assertThat(check(new Expectations(end, none, Dead.MAY_BE_GONE))).isEmpty();
    }

    @Test
    void aDeadRunHasOneMessageUnlessAPublishWasCutOff() throws Exception {
        Queues two = new Queues(Map.of(), List.of(DEAD, DEAD));
        assertOnly(check(new Expectations(end, two, Dead.EXACTLY_ONE)), BrokerRules.DEAD_ONCE);
        assertThat(check(new Expectations(end, two, Dead.AT_LEAST_ONE))).isEmpty();
    }

    @Test
    void aDeadMessageIsOfARunThatDiedThen() throws Exception {
        DeadMessage wrong = new DeadMessage(DEAD.queue(), key("plain", 1), 2);
        Queues queues = new Queues(Map.of(), List.of(DEAD, wrong));
        assertOnly(check(new Expectations(end, queues, Dead.EXACTLY_ONE)), BrokerRules.DIED);
    }
}
