package io.onbeat.verify.tasks;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;

/** Tells what time it is by the wall clock of its worker, in milliseconds since 1970. */
public final class WallClock implements Task {
    @Override
    public String name() {
        return "wall-clock";
    }

    @Override
    public Object run(TaskContext context) {
        return System.currentTimeMillis();
    }
}
