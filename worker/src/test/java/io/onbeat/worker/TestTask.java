package io.onbeat.worker;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;

/** A task made of a lambda. */
record TestTask(String name, Body body) implements Task {
    @FunctionalInterface
    interface Body {
        Object run(TaskContext context) throws Exception;
    }

    static TestTask of(String name, Body body) {
        return new TestTask(name, body);
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        return body.run(context);
    }
}
