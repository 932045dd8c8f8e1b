package io.onbeat.examples;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.io.IOException;
import java.sql.PreparedStatement;

/** Counts the orders for a partner whose server hangs up now and then: here to be seen retrying, and at times dying. */
public final class FlakySync implements Task {
    private static final String SYNC =
            "insert into demo.sync (run_key, attempt, orders) select ?, ?, count(*) from demo.orders";

    /** @param failPercent how many of a hundred attempts fail; which ones, run key and attempt decide */
    record Args(@JsonProperty("fail_percent") Integer failPercent) {
        Args {
            failPercent = failPercent == null ? 30 : failPercent;
            if (failPercent < 0 || failPercent > 100) {
                throw new IllegalArgumentException("fail_percent must be between 0 and 100, not " + failPercent);
            }
        }
    }

    @Override
    public String name() {
        return "flaky-sync";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        int failPercent = context.args(Args.class).failPercent();
        if (Dice.roll(context.runKey() + "#" + context.attempt(), 100) < failPercent) {
            throw new IOException("the partner's server hung up (on purpose: fail_percent is " + failPercent + ")");
        }
        DemoData.ensure(context.dataSource("ledger"));
        return context.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(SYNC)) {
                statement.setString(1, context.runKey());
                statement.setInt(2, context.attempt());
                return statement.executeUpdate();
            }
        });
    }
}
