package io.onbeat.task.test;

import io.onbeat.lock.Locks.Acquisition;
import io.onbeat.task.Lock;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.RetryLater;
import io.onbeat.task.Skipped;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task's code as a worker would, without a worker, a broker or a ledger.
 *
 * <pre>{@code
 * TaskTest test = TaskTest.of(new CloseCarts()).args("{\"days\": 30}").ledger(dataSource);
 * assertThat(test.run().result(Integer.class)).isEqualTo(2);
 * assertThat(test.attempt(2).run().result(Integer.class)).isZero();
 * }</pre>
 *
 * <p>Transactions and rows are those of the databases that it is given (PostgreSQL). Steps, failures of rows and locks are
 * remembered by the first {@link #of} and all that is made from it: a second {@link #run()} is what follows a crash after
 * the work. There is no lease, so none is lost; no time-out, and no retry.
 *
 * <p>Immutable: each of its methods gives another one. For any thread.
 */
public final class TaskTest {
    private static final Instant FIRE_TIME = Instant.parse("2026-07-14T18:00:00Z");

    private final Task task;
    private final Memory memory;
    private String args = "{}";
    private Optional<String> schedule;
    private Optional<String> runKey = Optional.empty();
    private Instant fireTime = FIRE_TIME;
    private int attempt = 1;
    private int maxAttempts = 4;
    private boolean stopping;
    private Map<String, String> environment = Map.of();
    private Map<String, DataSource> databases = Map.of();
    private Logger logger;

    private TaskTest(Task task) {
        this.task = task;
        this.memory = new Memory();
        this.schedule = Optional.of(task.name());
        this.logger = LoggerFactory.getLogger("task." + task.name());
    }

    private TaskTest(TaskTest other) {
        this.task = other.task;
        this.memory = other.memory;
        this.args = other.args;
        this.schedule = other.schedule;
        this.runKey = other.runKey;
        this.fireTime = other.fireTime;
        this.attempt = other.attempt;
        this.maxAttempts = other.maxAttempts;
        this.stopping = other.stopping;
        this.environment = other.environment;
        this.databases = other.databases;
        this.logger = other.logger;
    }

    /** A first attempt without arguments, of a schedule with the task's name. */
    public static TaskTest of(Task task) {
        return new TaskTest(task);
    }

    /** @param json as the schedule's {@code args} would be in JSON */
    public TaskTest args(String json) {
        return with(copy -> copy.args = json);
    }

    /** Part of the run key, unless {@link #runKey} is given. */
    public TaskTest schedule(String name) {
        return with(copy -> copy.schedule = Optional.of(name));
    }

    /** As a run that an outside publisher sent; give it a {@link #runKey} too. */
    public TaskTest withoutSchedule() {
        return with(copy -> copy.schedule = Optional.empty());
    }

    /** {@code SCHEDULE@FIRE_TIME} where it is not given. */
    public TaskTest runKey(String key) {
        return with(copy -> copy.runKey = Optional.of(key));
    }

    public TaskTest fireTime(Instant at) {
        return with(copy -> copy.fireTime = at);
    }

    public TaskTest attempt(int number) {
        return with(copy -> copy.attempt = number);
    }

    public TaskTest maxAttempts(int failures) {
        return with(copy -> copy.maxAttempts = failures);
    }

    /** The attempt is interrupted when it begins, as by a cancel or a time-out. */
    public TaskTest stopping() {
        return with(copy -> copy.stopping = true);
    }

    /** The worker's variables, for <code>${env:NAME}</code>; there are none but these. */
    public TaskTest environment(Map<String, String> variables) {
        Map<String, String> all = Map.copyOf(variables);
        return with(copy -> copy.environment = all);
    }

    /** The database of {@link TaskContext#transaction} and of {@code dataSource("ledger")}. */
    public TaskTest ledger(DataSource source) {
        return dataSource("ledger", source);
    }

    public TaskTest dataSource(String name, DataSource source) {
        Map<String, DataSource> all = new HashMap<>(databases);
        all.put(name, source);
        return with(copy -> copy.databases = Map.copyOf(all));
    }

    public TaskTest logger(Logger other) {
        return with(copy -> copy.logger = other);
    }

    /**
     * Another run takes the lock, until it is closed.
     *
     * @throws IllegalStateException when somebody has it
     */
    public Lock.Held lockedByAnother(String name) {
        try {
            Acquisition answer =
                    memory.locks().acquire(name, "another run", Lock.TIME_TO_LIVE, Duration.ZERO, () -> {});
            if (answer instanceof Acquisition.Held acquired) {
                return new HeldByAnother(acquired.lock());
            }
            throw new IllegalStateException("the lock " + name + " is held: " + answer);
        } catch (IOException | InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What the task would be given, for a part of it that takes it. */
    public TaskContext context() {
        return attemptUnderTest();
    }

    /**
     * Does the work of one attempt on this thread.
     *
     * @throws AssertionError of the test, where the task's work called it
     */
    public TaskOutcome run() {
        try (AttemptUnderTest context = attemptUnderTest()) {
            if (stopping) {
                Thread.currentThread().interrupt();
            }
            return outcome(context);
        } finally {
            if (stopping) {
                Thread.interrupted();
            }
        }
    }

    private TaskOutcome outcome(AttemptUnderTest context) {
        try {
            return context.succeeded(task.run(context));
        } catch (AssertionError ofTheTest) {
            throw ofTheTest;
        } catch (Throwable thrown) {
            if (thrown instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return context.committed().orElseGet(() -> judged(thrown, context));
        }
    }

    private static TaskOutcome judged(Throwable thrown, TaskContext context) {
        if (thrown instanceof Skipped skipped) {
            return new TaskOutcome.Skipped(context.masked(String.valueOf(skipped.getMessage())));
        }
        if (thrown instanceof PermanentFailure dead) {
            return new TaskOutcome.FailedForGood(dead);
        }
        return thrown instanceof RetryLater later
                ? new TaskOutcome.RetryLater(later.delay(), later)
                : new TaskOutcome.Failed(thrown);
    }

    private AttemptUnderTest attemptUnderTest() {
        String key = runKey.orElseGet(() -> schedule.orElse(task.name()) + "@" + fireTime);
        AttemptUnderTest.Facts facts =
                new AttemptUnderTest.Facts(task.name(), key, schedule, fireTime, attempt, maxAttempts, args, stopping);
        return new AttemptUnderTest(facts, environment::get, databases, logger, memory);
    }

    private TaskTest with(Consumer<TaskTest> change) {
        TaskTest copy = new TaskTest(this);
        change.accept(copy);
        return copy;
    }
}
