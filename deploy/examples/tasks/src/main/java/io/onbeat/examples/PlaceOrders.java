package io.onbeat.examples;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.stream.IntStream;

/** Places a few new orders, so that the demo keeps moving, and adds the points that they earn: a point for each whole hundred. */
public final class PlaceOrders implements Task {
    // In the order of their ids, as settle-points takes them: two that want the same rows never wait for each other.
    private static final String LOCK = "select id from demo.account where id = any(?) order by id for no key update";

    private static final String PLACE = """
            with placed as (
                insert into demo.orders (account_id, cents, placed_at)
                select account_id, cents, ? from unnest(?, ?) as o (account_id, cents)
                returning account_id, cents)
            update demo.account a set pending = a.pending + p.points
            from (select account_id, sum(cents / 100)::integer as points from placed group by account_id) p
            where a.id = p.account_id""";

    /** @param count orders per run */
    record Args(Integer count) {
        Args {
            count = count == null ? 5 : count;
            if (count < 1 || count > 1000) {
                throw new IllegalArgumentException("count must be between 1 and 1000, not " + count);
            }
        }
    }

    record Placed(int orders) {}

    @Override
    public String name() {
        return "place-orders";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        int count = context.args(Args.class).count();
        DemoData.ensure(context.dataSource("ledger"));
        return context.transaction(connection -> place(connection, context, count));
    }

    private static Placed place(Connection connection, TaskContext context, int count) throws SQLException {
        Object[] accounts = rolls(context.runKey() + " account ", count, 1, 10_000);
        Object[] cents = rolls(context.runKey() + " cents ", count, 100, 50_000);
        try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
            lock.setArray(1, connection.createArrayOf("integer", accounts));
            lock.execute();
        }
        try (PreparedStatement place = connection.prepareStatement(PLACE)) {
            place.setObject(1, OffsetDateTime.ofInstant(context.fireTime(), ZoneOffset.UTC));
            place.setArray(2, connection.createArrayOf("integer", accounts));
            place.setArray(3, connection.createArrayOf("integer", cents));
            place.executeUpdate();
        }
        return new Placed(count);
    }

    private static Object[] rolls(String text, int count, int from, int below) {
        return IntStream.range(0, count)
                .mapToObj(i -> from + Dice.roll(text + i, below))
                .toArray();
    }
}
