package io.onbeat.task;

/**
 * The key of a step that is done once.
 *
 * @param name what is done, such as {@code charge} or {@code invoice-4711}
 */
public record Step(String name, Scope scope) {

    /** Among what the name is unique. */
    public enum Scope {
        /** the attempts of one run */
        RUN,
        /** all runs of the task */
        TASK
    }

    public Step {
        if (name.isBlank() || name.length() > 200) {
            throw new IllegalArgumentException("a step's name is 1 to 200 characters, and not '" + name + "'");
        }
    }

    /** Once in this run, however often it is tried. */
    public static Step ofRun(String name) {
        return new Step(name, Scope.RUN);
    }

    /** Once among all runs of this task. */
    public static Step ofTask(String name) {
        return new Step(name, Scope.TASK);
    }
}
