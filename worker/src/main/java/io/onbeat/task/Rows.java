package io.onbeat.task;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which rows {@link TaskContext#claimRows} works off: those of a table whose status column has the value {@code from}.
 *
 * @param table with its schema where that is needed, such as {@code shop.orders}
 * @param key the column that identifies a row
 * @param from a row's status before
 * @param to a row's status after its work
 * @param setAside the status of a row that has failed {@code maxFailures} times; without it such a row stays, and is passed over
 * @param where a further condition in SQL, written by whoever writes the task: never put a value from outside into it
 * @param batch how many rows are locked, worked off and committed together; 1 where the work of a row is slow or reaches
 *     outside of the database
 * @param maxFailures after so many failures a row is not tried again
 * @param dataSource a database of the worker's configuration
 */
public record Rows(
        String table,
        String key,
        String status,
        String from,
        String to,
        Optional<String> setAside,
        Optional<String> where,
        int batch,
        int maxFailures,
        String dataSource) {
    public static final int LARGEST_BATCH = 10_000;

    /** How often a row is tried where nothing else is said. */
    public static final int MAX_FAILURES = 5;

    private static final Pattern NAME =
            Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*(\\.[A-Za-z_][A-Za-z0-9_$]*)?|\"[^\"]+\"(\\.\"[^\"]+\")?");

    public Rows {
        checkName("table", table);
        checkName("key column", key);
        checkName("status column", status);
        if (from.equals(to)) {
            throw new IllegalArgumentException("from and to are both '" + from + "': a row would be claimed for ever");
        }
        if (batch < 1 || batch > LARGEST_BATCH) {
            throw new IllegalArgumentException("a batch is 1 to " + LARGEST_BATCH + " rows, and not " + batch);
        }
        if (maxFailures < 1) {
            throw new IllegalArgumentException("maxFailures is 1 or more, and not " + maxFailures);
        }
    }

    /** Rows of the ledger's database with the columns {@code id} and {@code status}, in batches of 100, tried five times. */
    public static Rows of(String table, String from, String to) {
        return new Rows(
                table, "id", "status", from, to, Optional.empty(), Optional.empty(), 100, MAX_FAILURES, "ledger");
    }

    public Rows columns(String newKey, String newStatus) {
        return new Rows(table, newKey, newStatus, from, to, setAside, where, batch, maxFailures, dataSource);
    }

    public Rows setAside(String newStatus) {
        return new Rows(table, key, status, from, to, Optional.of(newStatus), where, batch, maxFailures, dataSource);
    }

    public Rows where(String condition) {
        return new Rows(table, key, status, from, to, setAside, Optional.of(condition), batch, maxFailures, dataSource);
    }

    public Rows batch(int rows) {
        return new Rows(table, key, status, from, to, setAside, where, rows, maxFailures, dataSource);
    }

    public Rows maxFailures(int failures) {
        return new Rows(table, key, status, from, to, setAside, where, batch, failures, dataSource);
    }

    public Rows on(String newDataSource) {
        return new Rows(table, key, status, from, to, setAside, where, batch, maxFailures, newDataSource);
    }

    private static void checkName(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name + "' is no name of a " + what);
        }
    }
}
