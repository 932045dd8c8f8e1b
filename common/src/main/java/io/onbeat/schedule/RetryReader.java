package io.onbeat.schedule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads {@code retry: {max_attempts, delays | initial, factor, max, jitter}}. */
final class RetryReader {
    static final int DEFAULT_FACTOR = 2;
    static final Duration DEFAULT_MAX = Duration.ofHours(1);

    private RetryReader() {}

    /** What is not given comes from {@code base}; the delays as a whole. */
    static Optional<RetryPolicy> read(Node node, RetryPolicy base, Report report) {
        if (!(node instanceof Node.Fields fields)) {
            report.add(
                    node, "retry: " + node.shown() + " is not a map: write {max_attempts: 4, delays: [10s, 1m, 5m]}");
            return Optional.empty();
        }
        Section section = new Section(fields, report, Keys.RETRY.names());
        try {
            return Optional.of(new RetryPolicy(
                    section.whole("max_attempts").orElse(base.maxAttempts()),
                    backoff(section).orElse(base.backoff()),
                    section.number("jitter").orElse(base.jitter())));
        } catch (InvalidSchedule e) {
            report.add(node, "retry: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<Backoff> backoff(Section section) {
        boolean exponential = section.has("initial") || section.has("factor") || section.has("max");
        if (section.has("delays")) {
            if (exponential) {
                throw new InvalidSchedule("give either delays, or initial with factor and max, not both");
            }
            Optional<List<Duration>> delays = section.list("delays", Section::asDuration);
            return delays.map(Backoff.Ladder::new);
        }
        return exponential ? Optional.of(exponential(section)) : Optional.empty();
    }

    private static Backoff exponential(Section section) {
        if (!section.has("initial")) {
            throw new InvalidSchedule("factor and max need initial, the delay that they start from");
        }
        Duration initial = section.duration("initial").orElse(Duration.ZERO);
        Duration max = section.duration("max").orElse(initial.compareTo(DEFAULT_MAX) > 0 ? initial : DEFAULT_MAX);
        // a max that is itself wrong has been reported: it must not raise a second complaint
        return new Backoff.Exponential(initial, section.number("factor").orElse((double) DEFAULT_FACTOR), max);
    }
}
