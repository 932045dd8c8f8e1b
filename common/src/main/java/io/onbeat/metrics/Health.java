package io.onbeat.metrics;

import java.util.List;

/** Whether a process can do its work; where it cannot, why. */
public record Health(List<String> problems) {
    public Health {
        problems = List.copyOf(problems);
    }

    public boolean healthy() {
        return problems.isEmpty();
    }
}
