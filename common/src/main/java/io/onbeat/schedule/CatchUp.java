package io.onbeat.schedule;

/** What happens to fires that are late by more than the misfire grace. */
public enum CatchUp {
    /** They are skipped. */
    NONE,
    /** The newest one runs, where no fire is within the grace. */
    LATEST,
    /** Every one runs, oldest first. */
    ALL
}
