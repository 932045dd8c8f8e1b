package io.onbeat.beat.web;

import io.onbeat.ledger.History;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Outbox;
import io.onbeat.ledger.RunView;
import io.onbeat.ledger.Schedules;
import io.onbeat.ledger.Workers;
import io.onbeat.metrics.Health;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The beat's page: what is going on, read from the ledger anew every two seconds. It changes nothing. */
public final class StatusPage {
    private static final int RUNS = 40;
    private static final int SCHEDULES = 200;

    private final Ledger ledger;
    private final String beat;
    private final Supplier<Boolean> leading;
    private final Supplier<Optional<String>> fileError;
    private final Supplier<Health> health;

    public StatusPage(
            Ledger ledger,
            String beat,
            Supplier<Boolean> leading,
            Supplier<Optional<String>> fileError,
            Supplier<Health> health) {
        this.ledger = ledger;
        this.beat = beat;
        this.leading = leading;
        this.fileError = fileError;
        this.health = health;
    }

    public String html() {
        Html page = new Html("Onbeat");
        page.line("beat " + beat + (leading.get() ? " leads" : " stands by"));
        fileError.get().ifPresent(error -> page.problem("The schedule file is not taken over:\n" + error));
        health.get().problems().forEach(page::problem);
        try (Connection connection = ledger.connection()) {
            outbox(page, Outbox.backlog(connection));
            workers(page, Workers.all(connection));
            schedules(page, Schedules.all(connection));
            runs(
                    page,
                    History.runs(
                            connection,
                            new History.Filter(
                                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), RUNS)));
        } catch (SQLException unreachable) {
            page.problem("The ledger cannot be read: " + unreachable.getMessage());
        }
        return page.end();
    }

    private static void outbox(Html page, Outbox.Backlog backlog) {
        backlog.oldest()
                .filter(age -> age.compareTo(Duration.ofSeconds(5)) > 0)
                .ifPresent(age -> page.problem(backlog.entries() + " entries wait in the outbox, the oldest for "
                        + age.toSeconds() + " s: is the broker away?"));
    }

    private static void workers(Html page, List<Workers.Row> workers) {
        page.table(
                "Workers",
                List.of("worker", "state", "queues", "running", "succeeded", "failed", "duplicates", "seen"));
        for (Workers.Row worker : workers) {
            page.row(
                    worker.identity().id(),
                    worker.state(),
                    worker.identity().queues(),
                    worker.counts().running(),
                    worker.counts().succeeded(),
                    worker.counts().failed(),
                    worker.counts().duplicates(),
                    worker.silence().toSeconds() + " s ago");
        }
        page.endTable("No worker has reported yet.");
    }

    private static void schedules(Html page, List<Schedules.Row> schedules) {
        page.table("Schedules", List.of("schedule", "judged up to", "state"));
        schedules.stream()
                .filter(row -> !row.removed())
                .limit(SCHEDULES)
                .forEach(row -> page.row(
                        row.name(),
                        row.watermark().truncatedTo(ChronoUnit.SECONDS),
                        row.pausedAt().isPresent() ? "paused" : ""));
        page.endTable("No schedule is in force.");
    }

    private static void runs(Html page, List<RunView> runs) {
        page.table("Runs", List.of("run", "state", "attempt", "task", "started", "took", "error"));
        for (RunView run : runs) {
            page.row(
                    run.key(),
                    run.state().word(),
                    run.attempt() + " of " + run.maxAttempts(),
                    run.task(),
                    run.startedAt().map(StatusPage::second).orElse(""),
                    took(run),
                    run.errorMessage().orElse(""));
        }
        page.endTable("Nothing has fired yet.");
    }

    private static String second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String took(RunView run) {
        if (run.startedAt().isEmpty() || run.finishedAt().isEmpty()) {
            return "";
        }
        return Duration.between(run.startedAt().get(), run.finishedAt().get()).toMillis() + " ms";
    }
}
