package io.onbeat.task.builtin;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;

/** Does nothing and succeeds, whatever its arguments: for a first schedule, and for measuring Onbeat itself. */
public final class NoopTask implements Task {
    @Override
    public String name() {
        return "noop";
    }

    @Override
    public Object run(TaskContext context) {
        return null;
    }
}
