package io.onbeat.verify.faults.tasks;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;

/** The plain effect of a task of which no more than {@link #MOST_AT_ONCE} runs may run at once. */
public final class LimitedEffect implements Task {
    public static final String NAME = "limited-effect";
    public static final int MOST_AT_ONCE = 2;

    private final PlainEffect effect = new PlainEffect();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        return effect.run(context);
    }
}
