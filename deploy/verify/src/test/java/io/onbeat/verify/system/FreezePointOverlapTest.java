package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.beat.fire.RunNow;
import io.onbeat.fault.CrashPoint;
import io.onbeat.ledger.ClaimResult;
import io.onbeat.ledger.Claims;
import io.onbeat.ledger.Failure;
import io.onbeat.ledger.Replays;
import io.onbeat.ledger.Settlement;
import io.onbeat.ledger.Settlements;
import io.onbeat.run.Attempt;
import io.onbeat.run.RunState;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A beat has seen that no run of its schedules is active, has written the next ones and stands still before its commit.
 * Meanwhile a person asks for runs of the same schedules.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FreezePointOverlapTest {
    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private Books books;

    @BeforeAll
    void askForRunsBesideAFire() throws Exception {
        books = cluster.books();
        books.setClock(Instant.parse("2026-07-14T00:30:00Z"));
        cluster.schedules("""
                defaults: {queue: nobody, misfire_grace: 60d, retry: {max_attempts: 1}}
                schedules:
                  by-hand: {every: 2h, task: record, overlap: skip}
                  serial: {every: 1h, task: record, overlap: queue, catch_up: all}
                """);
        Freeze freeze = Freeze.at(CrashPoint.FIRE_WRITTEN, 2, cluster);
        Node beat = cluster.startBeat(freeze.settings());
        books.await("select count(*) = 2 from schedule");
        books.turnClock(Duration.ofHours(1));
        books.await("select count(*) = 1 from run where schedule = 'serial'");
        Replays.DeadRun dead = die(books.text("select id || ' ' || key from run"));
        books.turnClock(Duration.ofHours(1));
        freeze.awaitIn(beat);

        ExecutorService people = Executors.newFixedThreadPool(2);
        try {
            Future<RunNow.Outcome> byHand = people.submit(() ->
                    new RunNow(books.ledger()).trigger("by-hand", Optional.empty(), Optional.of("wanted"), "test"));
            Future<List<Long>> replay = people.submit(
                    () -> books.ledger().transaction(connection -> Replays.replay(connection, List.of(dead))));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Stream.of(byHand, replay)
                                    .filter(each -> !each.isDone())
                                    .count()
                            <= waiting());
            freeze.end();
            byHand.get();
            replay.get();
        } finally {
            people.shutdownNow();
        }
        books.await("select bool_and(watermark >= timestamptz '2026-07-14T02:00:00Z') from schedule");
    }

    @Test
    void aRunByHandDoesNotBecomeActiveBesideAFireThatIsNotCommitted() {
        assertThat(books.texts("select key from run where schedule = 'by-hand' and open"))
                .as("active runs")
                .hasSize(1);
        assertThat(books.number("""
                        select (select count(*) from run where origin = 'schedule' and schedule = 'by-hand')
                               + (select coalesce(sum(count), 0) from skip)""")).as("fires that are a run or skipped").isEqualTo(1);
    }

    @Test
    void aReplayDoesNotBecomeActiveBesideAFireThatIsNotCommitted() {
        assertThat(books.texts("select state from run where schedule = 'serial' and open"))
                .as("one active run, and one that waits for it")
                .containsExactlyInAnyOrder("queued", "waiting");
    }

    private long waiting() {
        return books.number("""
                select count(*) from pg_locks join pg_stat_activity using (pid)
                where not granted and datname = current_database()""");
    }

    private Replays.DeadRun die(String idAndKey) throws SQLException {
        String[] run = idAndKey.split(" ");
        Attempt first = new Attempt(Long.parseLong(run[0]), run[1], 1);
        List<ClaimResult> claimed = Claims.claim(
                books.ledger(), "worker", Duration.ofDays(1), List.of(new Claims.Wish(first, UUID.randomUUID())));
        assertThat(claimed).hasOnlyElementsOfType(ClaimResult.Claimed.class);
        Failure failure = new Failure(Failure.Kind.FAILED, "Planned", "as planned", "");
        Settlement death = Settlement.dead(((ClaimResult.Claimed) claimed.get(0)).run(), failure);
        assertThat(Settlements.settle(books.ledger(), List.of(death))).isEqualTo(Map.of(first.runId(), RunState.DEAD));
        return new Replays.DeadRun(first.runId(), 1);
    }
}
