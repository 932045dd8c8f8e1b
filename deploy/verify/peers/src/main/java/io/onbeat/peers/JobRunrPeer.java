package io.onbeat.peers;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration.JobRunrConfigurationResult;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;

/** JobRunr with 8 workers a core, as it has by default, and the shortest interval that it polls at. */
final class JobRunrPeer implements Peer {
    private final DataSource database;
    private final int threads;
    private JobRunrConfigurationResult jobRunr;

    public record Noop(int number) implements JobRequest {
        @Override
        public Class<NoopHandler> getJobRequestHandler() {
            return NoopHandler.class;
        }
    }

    public static final class NoopHandler implements JobRequestHandler<Noop> {
        @Override
        public void run(Noop noop) {
            Runs.ran(noop.number());
        }
    }

    JobRunrPeer(DataSource database, int threads) {
        this.database = database;
        this.threads = threads;
    }

    @Override
    public Class<?> library() {
        return JobRunr.class;
    }

    @Override
    public void prepare() {
        jobRunr = JobRunr.configure()
                .useStorageProvider(SqlStorageProviderFactory.using(database))
                .useBackgroundJobServer(
                        usingStandardBackgroundJobServerConfiguration()
                                .andWorkerCount(threads)
                                .andPollInterval(Duration.ofSeconds(5)),
                        false)
                .initialize();
    }

    @Override
    public void enqueue(int from, int to) {
        jobRunr.getJobRequestScheduler().enqueue(IntStream.range(from, to).mapToObj(Noop::new));
    }

    @Override
    public void start() {
        jobRunr.getBackgroundJobServer().start();
    }

    @Override
    public boolean settled() throws SQLException {
        return Database.ask(
                database,
                "select not exists (select from jobrunr_jobs where state in ('ENQUEUED', 'PROCESSING', 'SCHEDULED', 'FAILED'))");
    }

    @Override
    public void stop() throws SQLException {
        JobRunr.destroy();
        Database.execute(database, "truncate jobrunr_jobs");
    }
}
