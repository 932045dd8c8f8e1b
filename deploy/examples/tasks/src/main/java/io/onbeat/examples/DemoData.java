package io.onbeat.examples;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** The tables of the demo business, made by whichever task needs them first. */
final class DemoData {
    private static final long LOCK = 0x6f6e_6265_6174L; // "onbeat" in ASCII

    // Asked of the table, whose rows every statement sees afresh: to_regclass() answers from a cache, which may be
    // stale after the wait for the lock.
    private static final String IS_THERE = """
            select exists (
                select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'demo' and c.relname = '%s')""";

    /** @param last the table that the script makes last of all: where it is, everything else is */
    private record Part(String script, String last) {}

    // the bills came later: a database that has the rest gets them too
    private static final List<Part> PARTS = List.of(new Part("demo.sql", "ready"), new Part("bills.sql", "bill"));

    private DemoData() {}

    /**
     * Makes sure that the tables and their rows are there. One transaction makes them all, under a lock that the other
     * workers wait for: they find either nothing or everything, and a worker that dies midway leaves nothing.
     */
    static void ensure(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            if (isThere(statement, PARTS.get(PARTS.size() - 1))) {
                return;
            }
            connection.setAutoCommit(false);
            statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
            for (Part part : PARTS) {
                if (!isThere(statement, part)) {
                    statement.execute(text(part.script()));
                }
            }
            connection.commit();
        }
    }

    private static boolean isThere(Statement statement, Part part) throws SQLException {
        try (ResultSet result = statement.executeQuery(IS_THERE.formatted(part.last()))) {
            result.next();
            return result.getBoolean(1);
        }
    }

    private static String text(String script) {
        try (InputStream stream = DemoData.class.getResourceAsStream(script)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
