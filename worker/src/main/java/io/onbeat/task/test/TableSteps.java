package io.onbeat.task.test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onbeat.task.TransactionWork;
import io.onbeat.worker.execute.AttemptRules;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Steps whose record is part of a transaction, and so must be in its database: in a table {@code onbeat_test_once} of the
 * test's own schema.
 *
 * @param test tells this test's steps from those of earlier ones
 */
record TableSteps(String table, String test) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static TableSteps in(DataSource ledger) throws SQLException {
        try (Connection connection = ledger.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            // two that create it at the same time would fail on the name of its type
            statement.execute("""
                    do $$ begin
                        perform pg_advisory_xact_lock(hashtext('onbeat_test_once'));
                        create table if not exists onbeat_test_once (key text primary key, result text);
                    end $$""");
            try (ResultSet name = statement.executeQuery("select format('%I.onbeat_test_once', current_schema)")) {
                name.next();
                return new TableSteps(name.getString(1), UUID.randomUUID().toString());
            }
        }
    }

    /** Another's step under this key waits for the end of this transaction. */
    <T> T once(Connection connection, String key, Class<T> type, TransactionWork<T> work, AttemptRules rules)
            throws Exception {
        String own = test + " " + key;
        if (!begin(connection, own)) {
            return AttemptRules.read(finish(connection, own), type);
        }
        T value = work.run(connection);
        try (PreparedStatement update =
                connection.prepareStatement("update " + table + " set result = ? where key = ?")) {
            update.setString(1, rules.kept(value).toString());
            update.setString(2, own);
            update.executeUpdate();
        }
        return value;
    }

    private boolean begin(Connection connection, String own) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into " + table + " (key) values (?) on conflict do nothing")) {
            insert.setString(1, own);
            return insert.executeUpdate() == 1;
        }
    }

    private JsonNode finish(Connection connection, String own) throws Exception {
        try (PreparedStatement select = connection.prepareStatement("select result from " + table + " where key = ?")) {
            select.setString(1, own);
            try (ResultSet result = select.executeQuery()) {
                result.next();
                return JSON.readTree(result.getString(1));
            }
        }
    }
}
