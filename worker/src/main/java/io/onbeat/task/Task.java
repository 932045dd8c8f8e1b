package io.onbeat.task;

/**
 * The code that a run executes. Found with {@link java.util.ServiceLoader} on the worker's class path and in the jars of
 * its tasks folder; one instance serves all runs, so it must be safe for use by many threads.
 *
 * <p>A run may be executed more than once (a crash, a time-out, a lost lease): use {@link TaskContext#transaction} for
 * effects that must happen exactly once.
 */
public interface Task {

    /** The name that schedules and messages call this task by, such as {@code settle-points}. */
    String name();

    /**
     * Does the work of one attempt.
     *
     * @return what is kept with the run, as JSON: a small record, map, string or number, or null for nothing
     * @throws RetryLater to fail this attempt and name the delay before the next one
     * @throws PermanentFailure to end the run as dead, whatever attempts are left
     * @throws Skipped to end the run as skipped: there was nothing to do
     * @throws Exception anything else fails this attempt; the retry policy decides what follows
     */
    Object run(TaskContext context) throws Exception;
}
