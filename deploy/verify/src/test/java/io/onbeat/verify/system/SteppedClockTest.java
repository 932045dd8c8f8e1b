package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.local.FakeTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The wall clocks of two beats and two workers, stepped by an hour forth, back and back again while schedules fire every
 * second: no fire is lost, early or done twice, and no lease ends. The database's clock alone counts.
 */
@EnabledOnOs(OS.LINUX)
class SteppedClockTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();
    private final EverySecond everySecond = new EverySecond(books);
    private int edits;

    /** A process and its wall clock. */
    private record Clocked(Node node, FakeTime clock) {}

    @Test
    void steppedWallClocksChangeNothing() {
        edit();
        Clocked leader = beat(1);
        books.await("select count(*) = 1 from leader where owner = ?", leader.node.name());
        Clocked standby = beat(2);
        standby.node.awaitLog("beat beat-2 runs");
        List<Clocked> workers = List.of(worker(1), worker(2));
        books.await("select count(distinct schedule) = 6 from run where state in ('running', 'succeeded')");

        for (Duration step : List.of(HOUR, Duration.ZERO, HOUR.negated())) {
            leader.clock.step(step);
            standby.clock.step(step.negated());
            workers.get(0).clock.step(step);
            workers.get(1).clock.step(step.negated());
            goesOn();
            theLeaderSees(leader, step);
            theWorkerSees(1, step);
            theWorkerSees(2, step.negated());
        }

        // it leads from now on by a clock that is an hour fast, then an hour slow
        leader.node.kill9();
        books.await("select owner = ? and lease_until > clock() from leader", standby.node.name());
        standby.clock.step(HOUR.negated());
        goesOn();
        theLeaderSees(standby, HOUR.negated());

        everySecond.end(cluster);
        for (String schedule : List.of("tick-1", "tick-2")) {
            everySecond.isAccountedFor(schedule);
            assertThat(everySecond.skips(schedule)).isZero();
        }
        everySecond.ranOnce("long-1");
        everySecond.ranOnce("long-2");
        assertThat(books.number("select count(*) from attempt")).isZero();
        assertThat(books.number("select count(distinct key) from run"))
                .isEqualTo(books.number("select count(*) from run"));
        assertThat(books.number("select sum(lost) from worker"))
                .as("leases lost")
                .isZero();
    }

    /** An edit comes into force, and runs of it start and end on both workers, long ones too. */
    private void goesOn() {
        edit();
        books.await("""
                select count(distinct schedule) = 6 from run
                where args ->> 'edit' = ? and (state = 'succeeded' or schedule like 'long%' and state = 'running')""", Integer.toString(edits));
        books.await("""
                select count(*) = 0 from run
                where schedule like 'long%' and open and fire_at <= (select max(fire_at) from run) - interval '4 s'""");
    }

    private void edit() {
        edits++;
        StringBuilder yaml = new StringBuilder("defaults: {overlap: allow, misfire_grace: 1h}\nschedules:\n");
        for (int worker = 1; worker <= 2; worker++) {
            yaml.append("""
                      tick-W: {every: 1s, task: record, queue: qW, args: {edit: EDIT}}
                      clock-W: {every: 1s, task: wall-clock, queue: qW, args: {edit: EDIT}}
                      long-W: {every: 4s, task: record, queue: qW, args: {edit: EDIT, millis: 6000}}
                    """.replace("W", Integer.toString(worker)).replace("EDIT", Integer.toString(edits)));
        }
        cluster.schedules(yaml.toString());
    }

    /** By the time that its log tells of the last edit. */
    private static void theLeaderSees(Clocked leader, Duration step) {
        List<String> lines = leader.node.logLines("schedules in force");
        isNow(Instant.parse(lines.get(lines.size() - 1).split(" ")[0]), step);
    }

    private void theWorkerSees(int worker, Duration step) {
        isNow(
                Instant.ofEpochMilli(books.number(
                        "select result from run where schedule = ? and result is not null order by id desc limit 1",
                        "clock-" + worker)),
                step);
    }

    private static void isNow(Instant seen, Duration step) {
        assertThat(Duration.between(Instant.now().plus(step), seen).abs()).isLessThan(Duration.ofMinutes(10));
    }

    private Clocked beat(int number) {
        FakeTime clock = clock("beat-" + number);
        return new Clocked(cluster.startBeat(clock.environment()), clock);
    }

    private Clocked worker(int number) {
        FakeTime clock = clock("worker-" + number);
        Map<String, String> settings = new HashMap<>(clock.environment());
        settings.put("ONBEAT_QUEUES", "q" + number + ":8");
        return new Clocked(cluster.startWorker(settings), clock);
    }

    private static FakeTime clock(String name) {
        return FakeTime.in(cluster.folder().resolve(name + ".clock"));
    }
}
