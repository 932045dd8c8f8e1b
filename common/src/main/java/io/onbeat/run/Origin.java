package io.onbeat.run;

import java.util.Locale;

/** Who asked for a run. */
public enum Origin {
    /** a due fire time */
    SCHEDULE,
    /** run now */
    MANUAL,
    BACKFILL,
    /** a message that a publisher other than a beat or worker sent */
    OUTSIDE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Origin of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
