package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.onbeat.task.PermanentFailure;
import io.onbeat.task.test.TaskTest;
import org.junit.jupiter.api.Test;

/** Without a database: those that need one give it with {@code ledger(dataSource)}. */
class CloseCartsTest {
    private final TaskTest test = TaskTest.of(new CloseCarts());

    @Test
    void aCartStaysOpenFor30Days() {
        assertEquals(new CloseCarts.Args(30), test.context().args(CloseCarts.Args.class));
    }

    @Test
    void noDaysAtAllIsAMistake() {
        TaskTest wrong = test.args("{\"days\": 0}");
        assertThrows(PermanentFailure.class, () -> wrong.context().args(CloseCarts.Args.class));
    }
}
