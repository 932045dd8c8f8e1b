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

    /**
     * Looks at a schedule's arguments and does nothing with them: {@code onbeat check} asks where this task's jar is at hand,
     * before there is any run. By default they are read as the class's nested record {@code Args}, where it has one. The
     * context has the arguments and a run key; its tools throw. {@code ${env:NAME}} has a value that is made up.
     *
     * @throws PermanentFailure saying what is wrong
     */
    default void checkArgs(TaskContext context) {
        for (Class<?> nested : getClass().getDeclaredClasses()) {
            if (nested.isRecord() && nested.getSimpleName().equals("Args")) {
                context.args(nested);
            }
        }
    }
}
