package io.onbeat.examples;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.onbeat.task.Lock;
import io.onbeat.task.Skipped;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * A bill for every account that ordered on the day before the fire time, numbered without a gap. Lock, state and unique key
 * each do their part: the lock keeps a second run from waiting for the first at every row; the state (accounts that have no
 * bill) says what is left to do, so a run goes on where a killed one stopped; and the keys are the truth, whoever tries.
 */
public final class BillAccounts implements Task {
    static final String LOCK = "bill-accounts";

    private static final String WITHOUT_BILL = """
            select distinct o.account_id from demo.orders o
            where o.placed_at >= ? and o.placed_at < ?
                and not exists (select from demo.bill b where b.account_id = o.account_id and b.day = ?)
            order by o.account_id limit ?""";

    // First in its transaction. The table refuses a token smaller than one that was here.
    private static final String FENCE =
            "update demo.bill_series set fence = ? where name = 'bills' returning last_number";

    private static final String BILL = """
            insert into demo.bill (account_id, day, number, cents, run_key)
            select account_id, ?, ? + row_number() over (order by account_id), sum(cents), ?
            from demo.orders where account_id = any(?) and placed_at >= ? and placed_at < ? group by account_id""";

    private static final String NUMBERED =
            "update demo.bill_series set last_number = last_number + ? where name = 'bills'";

    /**
     * @param batch bills per commit
     * @param lockSeconds how soon the lock is free when its holder has died
     */
    record Args(Integer batch, @JsonProperty("lock_seconds") Integer lockSeconds) {
        Args {
            batch = batch == null ? 200 : batch;
            lockSeconds = lockSeconds == null ? 30 : lockSeconds;
            if (batch < 1) {
                throw new IllegalArgumentException("batch must be at least 1, not " + batch);
            }
        }
    }

    record Billed(String day, int bills, long token) {}

    @Override
    public String name() {
        return "bill-accounts";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Args args = context.args(Args.class);
        LocalDate day =
                context.fireTime().atOffset(ZoneOffset.UTC).toLocalDate().minusDays(1);
        DemoData.ensure(context.dataSource("ledger"));
        try (Lock.Held held = context.lock(LOCK)
                        .timeToLive(Duration.ofSeconds(args.lockSeconds()))
                        .lockOrSkip();
                Connection connection = context.dataSource("ledger").getConnection()) {
            int bills = 0;
            for (List<Integer> accounts = withoutBill(connection, day, args.batch());
                    !accounts.isEmpty();
                    accounts = withoutBill(connection, day, args.batch())) {
                bills += bill(connection, accounts, day, held.token(), context.runKey());
                if (context.stopping()) {
                    throw new InterruptedException("stopped after " + bills + " bills; the next attempt goes on");
                }
            }
            if (bills == 0) {
                throw new Skipped("every account has its bill for " + day);
            }
            return new Billed(day.toString(), bills, held.token());
        }
    }

    private static List<Integer> withoutBill(Connection connection, LocalDate day, int batch) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(WITHOUT_BILL)) {
            setDay(statement, 1, day);
            statement.setObject(3, day);
            statement.setInt(4, batch);
            List<Integer> accounts = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    accounts.add(result.getInt(1));
                }
            }
            return accounts;
        }
    }

    /** The fence, the bills and their numbers are one commit. */
    private static int bill(Connection connection, List<Integer> accounts, LocalDate day, long token, String runKey)
            throws SQLException {
        connection.setAutoCommit(false);
        try {
            long last = fence(connection, token);
            int bills = write(connection, accounts, day, last, runKey);
            try (PreparedStatement statement = connection.prepareStatement(NUMBERED)) {
                statement.setInt(1, bills);
                statement.executeUpdate();
            }
            connection.commit();
            return bills;
        } catch (SQLException failed) {
            connection.rollback();
            throw failed;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static long fence(Connection connection, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FENCE)) {
            statement.setLong(1, token);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    private static int write(Connection connection, List<Integer> accounts, LocalDate day, long last, String runKey)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(BILL)) {
            statement.setObject(1, day);
            statement.setLong(2, last);
            statement.setString(3, runKey);
            statement.setArray(4, connection.createArrayOf("integer", accounts.toArray()));
            setDay(statement, 5, day);
            return statement.executeUpdate();
        }
    }

    private static void setDay(PreparedStatement statement, int place, LocalDate day) throws SQLException {
        statement.setObject(place, day.atStartOfDay().atOffset(ZoneOffset.UTC));
        statement.setObject(place + 1, day.plusDays(1).atStartOfDay().atOffset(ZoneOffset.UTC));
    }
}
