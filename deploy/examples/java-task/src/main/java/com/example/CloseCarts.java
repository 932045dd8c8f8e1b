package com.example;

import io.onbeat.task.Skipped;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Closes the carts that nobody has touched for some days. They and the run's success are one transaction. */
public final class CloseCarts implements Task {

    /** @param days how long a cart stays open; 30 where the schedule does not say */
    public record Args(Integer days) {
        public Args {
            days = days == null ? 30 : days;
            if (days < 1) {
                throw new IllegalArgumentException("days must be at least 1, not " + days);
            }
        }
    }

    public record Closed(int carts) {}

    @Override
    public String name() {
        return "close-carts";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        // counted from the fire time: a run that is late closes no more than it should have
        Instant before = context.fireTime().minus(context.args(Args.class).days(), ChronoUnit.DAYS);
        return context.transaction(connection -> {
            createTable(connection);
            try (PreparedStatement close =
                    connection.prepareStatement("update cart set open = false where open and touched_at < ?")) {
                close.setObject(1, OffsetDateTime.ofInstant(before, ZoneOffset.UTC));
                int carts = close.executeUpdate();
                if (carts == 0) {
                    throw new Skipped("no cart is that old");
                }
                context.logger().info("{} carts closed", carts);
                return new Closed(carts);
            }
        });
    }

    private static void createTable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists cart"
                    + " (id bigint primary key, open boolean not null, touched_at timestamptz not null)");
        }
    }
}
