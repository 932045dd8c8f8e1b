package io.onbeat.verify.tasks;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;

/** Runs until the test lets go of a lock. */
public final class WhileHeld implements Task {
    @Override
    public String name() {
        return "while-held";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Work.untilLetGo(context);
        return "let go";
    }
}
