package io.onbeat.verify.tasks;

import io.onbeat.task.Step;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Four runs for each invoice, of which one mails it and one books it: the mail as a step with its start and finish on
 * record, the booking as a step that is part of a transaction.
 */
public final class ChargeInvoice implements Task {
    private static final int INVOICES = 25;

    @Override
    public String name() {
        return "charge-invoice";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Luck luck = new Luck(context);
        int invoice = Luck.number(context.runKey()) % INVOICES;
        String mailed = context.once(Step.ofTask("mail-" + invoice), String.class, start -> {
            luck.tempt("the mail");
            mail(context, invoice, start);
            luck.tempt("the end of the mail");
            return context.runKey();
        });
        luck.tempt("the way to the books");
        return context.transaction(connection ->
                context.once(connection, Step.ofTask("book-" + invoice), String.class, same -> {
                    write(same, "insert into verify.booking (invoice, cents) values (?, 1900)", invoice);
                    Work.take(same, luck.millis());
                    luck.tempt("the end of the booking");
                    return mailed;
                }));
    }

    // a start above 1: it may have been mailed. That is all that is asked here; the table has no key.
    private static void mail(TaskContext context, int invoice, int start) throws SQLException {
        String where = start == 1 ? "" : " where not exists (select from verify.mail m where m.invoice = n.invoice)";
        try (Connection connection = context.dataSource("ledger").getConnection()) {
            Work.take(connection, 50);
            write(
                    connection,
                    "insert into verify.mail (invoice) select n.invoice from (select ?::int as invoice) n" + where,
                    invoice);
        }
    }

    private static void write(Connection connection, String sql, int invoice) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, invoice);
            statement.executeUpdate();
        }
    }
}
