package io.onbeat.verify.system;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A hundred edits of the schedule file in ten seconds, while schedules of it fire every second: nothing is lost or doubled. */
class ReloadStormTest {
    private static final int EDITS = 100;
    private static final int MILLIS_BETWEEN = 100;

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();
    private final EverySecond everySecond = new EverySecond(books);

    @Test
    void everyFireTimeIsARunOrASkip() throws Exception {
        cluster.schedules(yaml(0));
        Node beat = cluster.startBeat();
        cluster.startWorker();
        books.await("select count(*) >= 2 from run where schedule = 'tick' and state = 'succeeded'");

        storm(beat);
        books.await("select exists (select from run where args ->> 'edit' = ? and state = 'succeeded')", "" + EDITS);
        assertThat(beat.logLines("schedules in force"))
                .as("edits that came into force")
                .hasSizeGreaterThan(EDITS / 10);
        assertThat(beat.logLines(" ERROR ")).isEmpty();

        everySecond.end(cluster);
        everySecond.isAccountedFor("tick");
        everySecond.isAccountedFor("still");
        everySecond.ranOnce("comes-and-goes");
        everySecond.ranOnce("turns");
        // due by the rule before an edit and by the one after it
        assertThat(books.texts("""
                select due || ' is no run and no skip' from schedule, generate_series(
                    (select min(fire_at) from run where schedule = 'turns'), watermark, interval '2 s') as due
                where name = 'turns'
                    and not exists (select from run where schedule = 'turns' and fire_at = due)
                    and not exists (select from skip where schedule_id = id and due between first and last)""")).isEmpty();
        assertThat(books.number("select count(*) - count(distinct run_key) from verify.execution"))
                .isZero();
        assertThat(books.number("select count(*) from attempt")).isZero();
    }

    /** Each edit at its time, told by a signal. */
    private static void storm(Node beat) throws InterruptedException, ExecutionException, TimeoutException {
        ScheduledExecutorService editor = Executors.newSingleThreadScheduledExecutor();
        CountDownLatch left = new CountDownLatch(EDITS);
        ScheduledFuture<?> editing = editor.scheduleAtFixedRate(
                () -> {
                    if (left.getCount() > 0) {
                        cluster.schedules(yaml(EDITS + 1 - (int) left.getCount()));
                        hangUp(beat);
                        left.countDown();
                    }
                },
                0,
                MILLIS_BETWEEN,
                MILLISECONDS);
        try {
            if (!left.await(120, SECONDS)) {
                editing.get(1, SECONDS);
            }
        } finally {
            editor.shutdownNow();
        }
    }

    private static void hangUp(Node beat) {
        try {
            int code = new ProcessBuilder(
                            "kill", "-HUP", Long.toString(beat.process().pid()))
                    .start()
                    .waitFor();
            assertThat(code).isZero();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static String yaml(int edit) {
        return """
                defaults: {overlap: allow, misfire_grace: 1h}
                schedules:
                  still: {every: 1s, task: record}
                """
                + "  tick: {every: 1s, task: record, args: {edit: " + edit + "}}\n"
                // the epoch's even seconds are due under both of its rules
                + "  turns: {every: " + (edit % 2 == 0 ? "1s" : "2s") + ", task: record}\n"
                + (edit % 3 == 0 ? "" : "  comes-and-goes: {every: 1s, task: record}\n");
    }
}
