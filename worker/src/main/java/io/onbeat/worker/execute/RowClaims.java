package io.onbeat.worker.execute;

import io.onbeat.task.Row;
import io.onbeat.task.RowCounts;
import io.onbeat.task.RowWork;
import io.onbeat.task.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * Works off the rows of a table by their status.
 *
 * <p>Invariant: a transaction locks only rows whose status it moves, or leaves with their failure, when it commits; nothing
 * of the next batch is claimed before.
 */
final class RowClaims {
    private final Rows rows;
    private final RowWork work;
    private final DataSource source;
    private final FailedRows failures;
    private final BooleanSupplier stopping;
    private final Set<String> passedOver = new HashSet<>();
    private final Set<String> failedBefore = new HashSet<>();
    private long done;
    private long failed;
    private long givenUp;
    private String firstFailure = "";

    RowClaims(Rows rows, RowWork work, DataSource source, FailedRows failures, BooleanSupplier stopping) {
        this.rows = rows;
        this.work = work;
        this.source = source;
        this.failures = failures;
        this.stopping = stopping;
    }

    private record Failed(String key, String error) {}

    private record Batch(List<String> done, List<Failed> failed) {
        boolean isEmpty() {
            return done.isEmpty() && failed.isEmpty();
        }
    }

    RowCounts run() throws Exception {
        for (Map.Entry<String, Integer> known : failures.known().entrySet()) {
            (isPassedOver(known.getValue()) ? passedOver : failedBefore).add(known.getKey());
        }
        long left = passedOver.isEmpty() ? 0 : countPassedOver();
        while (true) {
            if (stopping.getAsBoolean()) {
                throw new InterruptedException("stopped after " + done + " rows");
            }
            Batch batch = next();
            if (batch.isEmpty()) {
                return new RowCounts(done, failed, givenUp, left, firstFailure);
            }
            record(batch);
        }
    }

    // one that would have been set aside was put back since, or its worker died before it could do so
    private boolean isPassedOver(int failedSoFar) {
        return failedSoFar >= rows.maxFailures() && rows.setAside().isEmpty();
    }

    private Batch next() throws Exception {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try {
                Batch batch = work(connection);
                connection.commit();
                return batch;
            } catch (Exception | Error failure) {
                try {
                    connection.rollback();
                } catch (SQLException broken) {
                    failure.addSuppressed(broken);
                }
                throw failure;
            }
        }
    }

    private Batch work(Connection connection) throws Exception {
        Batch batch = new Batch(new ArrayList<>(), new ArrayList<>());
        Connection guarded = GuardedConnection.of(connection);
        for (Row row : claim(connection)) {
            if (stopping.getAsBoolean()) {
                throw new InterruptedException("stopped within a batch, which is undone");
            }
            Savepoint before = connection.setSavepoint();
            try {
                work.run(guarded, row);
                move(connection, row.key(), rows.to());
                connection.releaseSavepoint(before);
                batch.done.add(row.key());
            } catch (InterruptedException stopped) {
                throw stopped;
            } catch (Exception failure) {
                connection.rollback(before);
                batch.failed.add(new Failed(row.key(), String.valueOf(failure.getMessage())));
            }
        }
        return batch;
    }

    // A row locked by another run is passed over, and so are those that failed here: the order keeps batches apart.
    private List<Row> claim(Connection connection) throws SQLException {
        String sql = "select *" + fromThoseToDo() + " and not (" + rows.key() + "::text = any (?)) order by "
                + rows.key() + " limit ? for no key update skip locked";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, rows.from(), Types.OTHER);
            statement.setArray(2, connection.createArrayOf("text", passedOver.toArray()));
            statement.setInt(3, rows.batch());
            try (ResultSet result = statement.executeQuery()) {
                List<Row> claimed = new ArrayList<>();
                while (result.next()) {
                    claimed.add(row(result));
                }
                return claimed;
            }
        }
    }

    private long countPassedOver() throws SQLException {
        String sql = "select count(*)" + fromThoseToDo() + " and " + rows.key() + "::text = any (?)";
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, rows.from(), Types.OTHER);
            statement.setArray(2, connection.createArrayOf("text", passedOver.toArray()));
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    private String fromThoseToDo() {
        return " from " + rows.table() + " where " + rows.status() + " = ?"
                + rows.where().map(condition -> " and (" + condition + ")").orElse("");
    }

    private Row row(ResultSet result) throws SQLException {
        Map<String, Object> columns = new LinkedHashMap<>();
        ResultSetMetaData about = result.getMetaData();
        for (int i = 1; i <= about.getColumnCount(); i++) {
            columns.put(about.getColumnName(i), result.getObject(i));
        }
        return new Row(result.getString(unquoted(rows.key())), columns);
    }

    // the key goes without a type, so that it is compared as what its column is, and an index finds it
    private void move(Connection connection, String key, String status) throws SQLException {
        String sql = "update " + rows.table() + " set " + rows.status() + " = ? where " + rows.key() + " = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, status, Types.OTHER);
            statement.setObject(2, key, Types.OTHER);
            statement.executeUpdate();
        }
    }

    // after the commit: what is on record here did happen; the record alone may be lost, and the row is tried once more
    private void record(Batch batch) throws Exception {
        done += batch.done.size();
        failed += batch.failed.size();
        List<String> cured = batch.done.stream().filter(failedBefore::contains).toList();
        if (!cured.isEmpty()) {
            failures.forget(cured);
        }
        for (Failed each : batch.failed) {
            if (firstFailure.isEmpty()) {
                firstFailure = rows.key() + " " + each.key() + ": " + each.error();
            }
            int count = failures.add(each.key(), each.error());
            passedOver.add(each.key());
            if (count >= rows.maxFailures()) {
                givenUp++;
                if (rows.setAside().isPresent()) {
                    setAside(each.key(), rows.setAside().get());
                }
            }
        }
    }

    // the batch has let go of it: another run may have moved it since
    private void setAside(String key, String status) throws SQLException {
        String sql = "update " + rows.table() + " set " + rows.status() + " = ? where " + rows.key() + " = ? and "
                + rows.status() + " = ?";
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, status, Types.OTHER);
            statement.setObject(2, key, Types.OTHER);
            statement.setObject(3, rows.from(), Types.OTHER);
            statement.executeUpdate();
        }
    }

    private static String unquoted(String name) {
        return name.startsWith("\"") ? name.substring(1, name.length() - 1) : name.toLowerCase(Locale.ROOT);
    }
}
