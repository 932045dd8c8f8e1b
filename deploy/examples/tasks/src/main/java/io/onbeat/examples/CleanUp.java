package io.onbeat.examples;

import io.onbeat.task.Skipped;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * Deletes old orders with their reviews, a batch at a time: each commit is short, holds few locks, and stands whatever
 * happens to the run. What is old counts from the fire time, so a run that is late or tried again deletes the same. Deleting
 * is done when it is done: no key is needed, and runs side by side pass over each other's rows.
 */
public final class CleanUp implements Task {
    private static final String COUNT = "select count(*) from demo.orders where status = 'reviewed' and placed_at < ?";

    private static final String DELETE = """
            with old as (
                select id from demo.orders where status = 'reviewed' and placed_at < ?
                order by id limit ? for update skip locked),
            reviews as (
                delete from demo.review r using old where r.order_id = old.id)
            delete from demo.orders o using old where o.id = old.id""";

    /**
     * @param days how old an order must be
     * @param batch orders per commit
     */
    record Args(Integer days, Integer batch) {
        Args {
            days = days == null ? 30 : days;
            batch = batch == null ? 1000 : batch;
            if (days < 1 || batch < 1) {
                throw new IllegalArgumentException("days and batch must be at least 1, not " + days + " and " + batch);
            }
        }
    }

    record Deleted(long orders) {}

    @Override
    public String name() {
        return "clean-up";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Args args = context.args(Args.class);
        DemoData.ensure(context.dataSource("ledger"));
        Instant before = context.fireTime().minus(args.days(), ChronoUnit.DAYS);
        long deleted = 0;
        try (Connection connection = context.dataSource("ledger").getConnection()) {
            long all = count(connection, before);
            for (int batch = delete(connection, before, args.batch());
                    batch > 0;
                    batch = delete(connection, before, args.batch())) {
                deleted += batch;
                context.progress(Math.min(1, deleted / (double) all), deleted + " of " + all + " orders");
                if (context.stopping()) {
                    throw new InterruptedException("stopped after " + deleted + " orders; the next attempt goes on");
                }
            }
        }
        if (deleted == 0) {
            throw new Skipped("no order is older than " + args.days() + " days");
        }
        return new Deleted(deleted);
    }

    private static long count(Connection connection, Instant before) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(COUNT)) {
            statement.setObject(1, OffsetDateTime.ofInstant(before, ZoneOffset.UTC));
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    /** One statement, and so one commit. */
    private static int delete(Connection connection, Instant before, int batch) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(DELETE)) {
            statement.setObject(1, OffsetDateTime.ofInstant(before, ZoneOffset.UTC));
            statement.setInt(2, batch);
            return statement.executeUpdate();
        }
    }
}
