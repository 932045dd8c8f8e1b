package io.onbeat.examples;

import io.onbeat.task.Skipped;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.PreparedStatement;

/**
 * Reviews a batch of pending orders. The claimed rows, their new status, the review rows and the run's own success are one
 * transaction, so each order is reviewed once; and runs side by side skip what another one holds.
 */
public final class ReviewOrders implements Task {
    private static final String REVIEW = """
            with claimed as (
                select id from demo.orders where status = 'pending' order by id limit ? for update skip locked),
            reviewed as (
                update demo.orders o set status = 'reviewed' from claimed c where o.id = c.id returning o.id, o.cents)
            insert into demo.review (order_id, verdict, run_key)
            select id, case when cents > 40000 then 'asked back' else 'approved' end, ? from reviewed""";

    /** @param batch orders per run */
    record Args(Integer batch) {
        Args {
            batch = batch == null ? 100 : batch;
            if (batch < 1) {
                throw new IllegalArgumentException("batch must be at least 1, not " + batch);
            }
        }
    }

    record Reviewed(int orders) {}

    @Override
    public String name() {
        return "review-orders";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Args args = context.args(Args.class);
        DemoData.ensure(context.dataSource("ledger"));
        return context.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(REVIEW)) {
                statement.setInt(1, args.batch());
                statement.setString(2, context.runKey());
                int orders = statement.executeUpdate();
                if (orders == 0) {
                    throw new Skipped("no order is pending");
                }
                return new Reviewed(orders);
            }
        });
    }
}
