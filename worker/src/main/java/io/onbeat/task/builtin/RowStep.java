package io.onbeat.task.builtin;

import io.onbeat.task.RowWork;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What is done for each row of one attempt. */
interface RowStep extends RowWork {

    /**
     * Looks for a column that is asked for and not there, before any row is touched.
     *
     * @return what asks, and the name
     */
    Optional<String> unknownColumn(List<String> columns);

    /** Looks at what can be known without the table. */
    default void checkArgs() {}

    /** The delay before the next attempt that a receiver asked for. */
    default Optional<Duration> wish() {
        return Optional.empty();
    }
}
