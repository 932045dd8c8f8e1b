package io.onbeat.task.builtin;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;

/**
 * Sends one HTTP request. The receiver may get it more than once, each time with the same {@code Idempotency-Key}: the run
 * key.
 */
public final class HttpTask implements Task {
    static final String NAME = "http";

    private final HttpCaller caller = new HttpCaller();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void checkArgs(TaskContext context) {
        HttpCall.of(context);
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        return caller.send(HttpCall.of(context));
    }
}
