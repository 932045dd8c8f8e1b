package io.onbeat.task;

/**
 * What became of the rows.
 *
 * @param done moved to their next status by this attempt
 * @param failed whose work threw in this attempt: each failure is on record
 * @param givenUp of those that failed, how many have failed too often by now: no attempt tries them again
 * @param passedOver left where they are by this attempt, since they had failed too often before it
 * @param firstFailure of this attempt, for people; empty where there was none
 */
public record RowCounts(long done, long failed, long givenUp, long passedOver, String firstFailure) {

    /** Whether another attempt would try rows again that failed in this one. */
    public boolean someToTryAgain() {
        return failed > givenUp;
    }
}
