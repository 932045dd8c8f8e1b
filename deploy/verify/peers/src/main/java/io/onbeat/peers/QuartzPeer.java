package io.onbeat.peers;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/** Quartz with its JDBC store, clustered; it acquires as many triggers at a time as it has threads. */
final class QuartzPeer implements Peer {
    private final HikariDataSource database;
    private final Scheduler scheduler;

    public static final class Noop implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            Runs.ran(Integer.parseInt(context.getTrigger().getKey().getName()));
        }
    }

    QuartzPeer(HikariDataSource database, int threads) throws IOException, SQLException, SchedulerException {
        this.database = database;
        Database.execute(database, tables());
        DBConnectionManager.getInstance().addConnectionProvider("peers", new Connections(database));
        Properties settings = new Properties();
        settings.putAll(Map.of(
                "org.quartz.scheduler.instanceName", "peers",
                "org.quartz.scheduler.instanceId", "AUTO",
                "org.quartz.scheduler.batchTriggerAcquisitionMaxCount", Integer.toString(threads),
                "org.quartz.threadPool.threadCount", Integer.toString(threads),
                "org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX",
                "org.quartz.jobStore.driverDelegateClass", "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate",
                "org.quartz.jobStore.dataSource", "peers",
                "org.quartz.jobStore.isClustered", "true",
                // batches need it
                "org.quartz.jobStore.acquireTriggersWithinLock", "true",
                // or it would spend its time on those that wait longer than a minute
                "org.quartz.jobStore.misfireThreshold", "3600000"));
        this.scheduler = new StdSchedulerFactory(settings).getScheduler();
    }

    @Override
    public Class<?> library() {
        return Scheduler.class;
    }

    @Override
    public void start() throws SchedulerException {
        scheduler.start();
    }

    /** One job with a trigger for each run: less to store than as many jobs. */
    @Override
    public void enqueue(int from, int to) throws SchedulerException {
        JobDetail job = JobBuilder.newJob(Noop.class).withIdentity("noop").storeDurably().build();
        Set<Trigger> triggers = new HashSet<>();
        for (int number = from; number < to; number++) {
            triggers.add(TriggerBuilder.newTrigger()
                    .withIdentity(Integer.toString(number))
                    .forJob(job)
                    .startNow()
                    .build());
        }
        scheduler.scheduleJobs(Map.of(job, triggers), true);
    }

    @Override
    public boolean settled() throws SQLException {
        return Database.ask(
                database, "select not exists (select from qrtz_triggers) and not exists (select from qrtz_fired_triggers)");
    }

    @Override
    public void stop() throws SchedulerException {
        scheduler.standby();
    }

    private static String tables() throws IOException {
        try (InputStream sql = Scheduler.class.getResourceAsStream("/org/quartz/impl/jdbcjobstore/tables_postgres.sql")) {
            return new String(sql.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The pool that all peers use. */
    private record Connections(HikariDataSource database) implements ConnectionProvider {
        @Override
        public Connection getConnection() throws SQLException {
            return database.getConnection();
        }

        @Override
        public void initialize() {}

        @Override
        public void shutdown() {}
    }
}
