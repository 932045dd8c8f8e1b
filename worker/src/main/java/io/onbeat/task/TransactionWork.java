package io.onbeat.task;

import java.sql.Connection;

/** Work inside {@link TaskContext#transaction}. It neither commits nor rolls back nor closes the connection: the caller does. */
@FunctionalInterface
public interface TransactionWork<T> {
    T run(Connection connection) throws Exception;
}
