package io.onbeat.verify.tasks;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.PreparedStatement;

/** Writes its effect in one transaction with the run's success. The table has no key: an effect that comes twice is seen. */
public final class RecordOnce implements Task {
    /** @param millis how long it works before that */
    record Args(int millis) {}

    @Override
    public String name() {
        return "record-once";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        return context.transaction(connection -> {
            Work.take(connection, context.args(Args.class).millis());
            try (PreparedStatement statement =
                    connection.prepareStatement("insert into verify.effect (run_key, attempt) values (?, ?)")) {
                statement.setString(1, context.runKey());
                statement.setInt(2, context.attempt());
                return statement.executeUpdate();
            }
        });
    }
}
