package io.onbeat.task.builtin;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A task on a thread of its own, which a test interrupts as a time-out does. */
final class Interrupted {
    private final FutureTask<Object> work;
    private final Thread thread;

    private Interrupted(FutureTask<Object> work) {
        this.work = work;
        this.thread = new Thread(work, "interrupted-task");
    }

    static Interrupted start(Task task, TaskContext context) {
        Interrupted interrupted = new Interrupted(new FutureTask<>(() -> task.run(context)));
        interrupted.thread.start();
        return interrupted;
    }

    /** @return how the task ended, within the limit */
    Throwable endWithin(Duration limit) throws Exception {
        thread.interrupt();
        try {
            throw new AssertionError("the task ended well: " + work.get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
