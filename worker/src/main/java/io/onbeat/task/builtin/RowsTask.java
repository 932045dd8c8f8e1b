package io.onbeat.task.builtin;

import io.onbeat.task.RetryLater;
import io.onbeat.task.RowCounts;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.time.Duration;
import java.util.Optional;

/** Works off the rows of a table that have a status: SQL or an HTTP request for each, and the next status. */
public final class RowsTask implements Task {
    static final String NAME = "rows";

    private final HttpCaller caller = new HttpCaller();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void checkArgs(TaskContext context) {
        RowsOrder.of(context, caller).step().checkArgs();
    }

    /** Fails while there are rows that another attempt would try again. */
    @Override
    public Object run(TaskContext context) throws Exception {
        RowsOrder order = RowsOrder.of(context, caller);
        order.checkColumns(context.dataSource(order.rows().dataSource()));
        RowCounts counts = context.claimRows(order.rows(), order.step());
        if (!counts.someToTryAgain()) {
            return counts;
        }
        String message = counts.failed() + " of " + (counts.done() + counts.failed()) + " rows failed, the first: "
                + counts.firstFailure();
        Optional<Duration> wish = order.step().wish();
        throw wish.<Exception>map(delay -> new RetryLater(delay, message)).orElseGet(() -> new RowsFailed(message));
    }
}
