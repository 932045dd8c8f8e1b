package io.onbeat.task.test;

import io.onbeat.lock.Locks;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** What the ledger would remember from one attempt to the next. */
final class Memory {
    private final Locks locks = new Locks(new MemoryLocks());
    private final MemorySteps steps = new MemorySteps();
    private final Map<String, MemoryFailedRows> failedRows = new ConcurrentHashMap<>();
    private Optional<TableSteps> tableSteps = Optional.empty();

    Locks locks() {
        return locks;
    }

    MemorySteps steps() {
        return steps;
    }

    /** The steps that are part of transactions of that database. */
    synchronized TableSteps stepsIn(DataSource ledger) throws SQLException {
        if (tableSteps.isEmpty()) {
            tableSteps = Optional.of(TableSteps.in(ledger));
        }
        return tableSteps.get();
    }

    MemoryFailedRows failedRows(String source) {
        return failedRows.computeIfAbsent(source, unknown -> new MemoryFailedRows());
    }
}
