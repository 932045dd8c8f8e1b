package io.onbeat.verify.bench;

import io.onbeat.message.TaskMessage;
import io.onbeat.run.Attempt;
import io.onbeat.run.Origin;
import java.time.Instant;
import java.util.Optional;

/** The message of a no-op run. */
final class ExampleMessage {
    private ExampleMessage() {}

    static TaskMessage of() {
        Instant fireAt = Instant.parse("2026-07-14T18:00:00Z");
        return new TaskMessage(
                new Attempt(1_234_567, "bench-0000@" + fireAt, 1),
                Origin.SCHEDULE,
                Optional.of("bench-0000"),
                "noop",
                "default",
                fireAt,
                "{}",
                Optional.empty());
    }
}
