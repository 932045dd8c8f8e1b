package io.onbeat.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** db-scheduler, which locks and fetches executions in one statement, up to four for each thread. */
final class DbSchedulerPeer implements Peer {
    private final DataSource database;
    private final OneTimeTask<Void> noop = Tasks.oneTime("noop")
            .execute((instance, context) -> Runs.ran(Integer.parseInt(instance.getId())));
    private final int threads;
    private Scheduler scheduler;

    DbSchedulerPeer(DataSource database, int threads) throws SQLException {
        this.database = database;
        this.threads = threads;
        Database.execute(database, """
                create table scheduled_tasks (
                    task_name text not null, task_instance text not null, task_data bytea,
                    execution_time timestamptz not null, picked boolean not null, picked_by text,
                    last_success timestamptz, last_failure timestamptz, consecutive_failures int,
                    last_heartbeat timestamptz, version bigint not null, priority smallint,
                    primary key (task_name, task_instance));
                create index on scheduled_tasks (execution_time);
                create index on scheduled_tasks (last_heartbeat)""");
    }

    @Override
    public Class<?> library() {
        return Scheduler.class;
    }

    @Override
    public void prepare() {
        scheduler = Scheduler.create(database, noop)
                .threads(threads)
                .pollUsingLockAndFetch(2.0, 4.0)
                .pollingInterval(Duration.ofMillis(100))
                .build();
    }

    @Override
    public void enqueue(int from, int to) {
        Stream<TaskInstance<?>> some =
                IntStream.range(from, to).mapToObj(number -> noop.instance(Integer.toString(number)));
        scheduler.scheduleBatch(some, Instant.now());
    }

    @Override
    public void start() {
        scheduler.start();
    }

    /** It deletes what has succeeded. */
    @Override
    public boolean settled() throws SQLException {
        return Database.ask(database, "select not exists (select from scheduled_tasks)");
    }

    @Override
    public void stop() {
        scheduler.stop();
    }
}
