package io.onbeat.verify.faults.tasks;

import io.onbeat.task.RetryLater;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;

/** Its effect is its start, written outside any transaction: at most one for each attempt is right. */
public final class PlainEffect implements Task {
    public static final String NAME = "plain-effect";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Conduct.Args args = context.args(Conduct.Args.class);
        long start = StartBook.begin(context);
        try {
            Conduct.of(args, context.runKey(), context.attempt()).act(context, args);
        } catch (Misfortune | RetryLater wanted) {
            StartBook.end(context, start);
            throw wanted;
        }
        StartBook.end(context, start);
        return null;
    }
}
