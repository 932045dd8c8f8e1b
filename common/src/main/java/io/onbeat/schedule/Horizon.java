package io.onbeat.schedule;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/** How far ahead a fire time is looked for: what is not due within 100 years counts as never. */
final class Horizon {
    static final int YEARS = 100;

    private static final long FIRST_SECOND =
            Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
    private static final long LAST_SECOND =
            Instant.parse("9899-12-31T23:59:59Z").getEpochSecond();
    private static final long SURELY_WITHIN = YEARS * 365L * 86_400;

    private Horizon() {}

    /** The epoch second to search from, kept where calendar arithmetic cannot overflow. */
    static long second(Instant after) {
        return Math.max(FIRST_SECOND, Math.min(LAST_SECOND, after.getEpochSecond()));
    }

    static Optional<Instant> keep(long fire, long after) {
        return fire - after <= SURELY_WITHIN || fire <= limit(after)
                ? Optional.of(Instant.ofEpochSecond(fire))
                : Optional.empty();
    }

    /** Whether the fire is near enough to be looked for from {@code after}. */
    static boolean reaches(Instant after, Instant fire) {
        return keep(fire.getEpochSecond(), second(after)).isPresent();
    }

    private static long limit(long after) {
        return Instant.ofEpochSecond(after)
                .atOffset(ZoneOffset.UTC)
                .plusYears(YEARS)
                .toEpochSecond();
    }
}
