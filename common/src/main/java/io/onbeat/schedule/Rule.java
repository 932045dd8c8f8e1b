package io.onbeat.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The part of a schedule that says when it fires, as it was written. */
public sealed interface Rule {
    /** For people, in one line. */
    String text();

    record Cron(List<String> expressions) implements Rule {
        public Cron {
            expressions = List.copyOf(expressions);
        }

        @Override
        public String text() {
            return String.join(" ;; ", expressions);
        }
    }

    record Every(Duration period) implements Rule {
        @Override
        public String text() {
            return "every " + Durations.format(period);
        }
    }

    record At(Instant instant) implements Rule {
        @Override
        public String text() {
            return "at " + instant;
        }
    }
}
