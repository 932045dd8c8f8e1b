package io.onbeat.verify.tasks;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.PreparedStatement;

/** Settles the account of the run's number, in one transaction with the run's success. Nothing else keeps it single. */
public final class SettleAccount implements Task {
    @Override
    public String name() {
        return "settle-account";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Luck luck = new Luck(context);
        return context.transaction(connection -> {
            try (PreparedStatement settle = connection.prepareStatement(
                    "update verify.account set balance = balance + 7, times = times + 1 where id = ?")) {
                settle.setInt(1, Luck.number(context.runKey()));
                int accounts = settle.executeUpdate();
                Work.take(connection, luck.millis());
                luck.tempt("the end of the transaction");
                return accounts;
            }
        });
    }
}
