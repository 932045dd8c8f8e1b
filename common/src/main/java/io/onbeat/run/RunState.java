package io.onbeat.run;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Where a run stands; the ledger's enum {@code run_state} has the same words. */
public enum RunState {
    WAITING,
    QUEUED,
    RUNNING,
    RETRYING,
    SUCCEEDED,
    SKIPPED,
    DEAD,
    CANCELLED,
    EXPIRED;

    /** True while something is still to happen to the run: the ledger's column {@code open}. */
    public boolean open() {
        return this == WAITING || this == QUEUED || this == RUNNING || this == RETRYING;
    }

    /** The word used in the ledger, in messages and on pages. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException that names the states there are */
    public static RunState of(String word) {
        for (RunState state : values()) {
            if (state.word().equals(word)) {
                return state;
            }
        }
        throw new IllegalArgumentException("no run state '" + word + "'; it is one of " + String.join(", ", words()));
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(RunState::word).toList();
    }
}
