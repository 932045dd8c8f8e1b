package io.onbeat.task;

/**
 * What became of the rows.
 *
 * @param done moved to their next status by this attempt
 * @param failed left where they were, or set aside: each failure is on record
 * @param firstFailure of them, for people; empty where there was none
 */
public record RowCounts(long done, long failed, String firstFailure) {}
