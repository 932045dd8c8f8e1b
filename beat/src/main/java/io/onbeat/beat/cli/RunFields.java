package io.onbeat.beat.cli;

import io.onbeat.ledger.RunView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A run in the ledger's words, the same for every command. */
final class RunFields {
    private RunFields() {}

    static Fields of(RunView run) {
        return new Fields()
                .add("key", run.key())
                .add("state", run.state().word())
                .add("waiting_for", WaitingFor.word(run))
                .add("schedule", run.schedule())
                .add("task", run.task())
                .add("queue", run.queue())
                .add("origin", run.origin().word())
                .add("fire_at", run.fireAt())
                .add("attempt", run.attempt())
                .add("failures", run.failures())
                .add("max_attempts", run.maxAttempts())
                .add("queued_at", run.queuedAt())
                .add("started_at", run.startedAt())
                .add("finished_at", run.finishedAt())
                .add("next_attempt_at", run.nextAttemptAt())
                .add("late_ms", lateness(run))
                .add("took_ms", took(run))
                .add("worker", run.worker())
                .add("cancel_requested", run.cancelRequested())
                .add("error_class", run.errorClass())
                .add("error_message", run.errorMessage())
                .add("args", Optional.ofNullable(run.args()).map(JsonValue.Raw::new))
                .add("result", run.result().map(JsonValue.Raw::new));
    }

    /** From the fire time to the first start. */
    static Optional<Duration> lateness(RunView run) {
        return run.firstStartedAt().map(start -> Duration.between(run.fireAt(), start));
    }

    /** How long its newest attempt took; empty while it runs. */
    static Optional<Duration> took(RunView run) {
        Optional<Instant> end = run.finishedAt();
        return end.isEmpty()
                ? Optional.empty()
                : run.startedAt()
                        .filter(start -> !start.isAfter(end.get()))
                        .map(start -> Duration.between(start, end.get()));
    }

    static Optional<String> error(RunView run) {
        return run.errorMessage().or(run::errorClass);
    }
}
