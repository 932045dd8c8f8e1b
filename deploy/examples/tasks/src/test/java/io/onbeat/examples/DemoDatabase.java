package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A fresh database on the real server, and the means to look into it and to cut connections to it. */
final class DemoDatabase implements AutoCloseable {
    private final Database database = TestServices.freshDatabase();

    /** @param application the name by which {@link #cut} finds the connections */
    DataSource source(String application) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.jdbcUrl());
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setApplicationName(application);
        return source;
    }

    String query(String sql) throws SQLException {
        try (Connection connection = source("test").getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return String.valueOf(result.getString(1));
        }
    }

    /** Ends one connection in the middle of its transaction, as the death of its worker does. */
    boolean cut(String application, String duringStatement) throws SQLException {
        return !query("select count(pg_terminate_backend(pid)) from (select pid from pg_stat_activity"
                        + " where datname = current_database() and application_name = '" + application
                        + "' and xact_start is not null and query ilike '%" + duringStatement
                        + "%' order by random() limit 1) victim")
                .equals("0");
    }

    /** Fails the test unless that is what {@link #cut} does to a task. */
    static void assertCut(Throwable failure) {
        assertThat(failure)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        died -> assertThat(died.getSQLState())
                                .as(died.getMessage())
                                .isIn("57P01", "08006", "08003"));
    }

    /** Does the same on several threads at once. */
    static <T> List<T> together(int threads, Callable<T> work) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> future : executor.invokeAll(Collections.nCopies(threads, work))) {
                results.add(future.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    @Override
    public void close() {
        TestServices.dropDatabase(database);
    }
}
