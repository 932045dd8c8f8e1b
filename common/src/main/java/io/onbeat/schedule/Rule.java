package io.onbeat.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The part of a schedule that says when it fires, as it was written. */
public sealed interface Rule {
    record Cron(List<String> expressions) implements Rule {
        public Cron {
            expressions = List.copyOf(expressions);
        }
    }

    record Every(Duration period) implements Rule {}

    record At(Instant instant) implements Rule {}
}
