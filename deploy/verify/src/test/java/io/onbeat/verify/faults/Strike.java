package io.onbeat.verify.faults;

import java.time.Duration;
import java.util.Locale;

/** One fault of a plan: at that time from the start, in that place, for so long. */
record Strike(Duration at, Kind kind, String place, Duration lasts) {
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%6.1f s  %-16s %-18s %4.1f s", seconds(at), kind.word(), place, seconds(lasts));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
