package io.onbeat.task;

import java.sql.Connection;

/** Works one row off, in the transaction that moves its status. What it throws undoes this row's part, and no other's. */
@FunctionalInterface
public interface RowWork {
    /** @param connection neither committed nor rolled back nor closed here */
    void run(Connection connection, Row row) throws Exception;
}
