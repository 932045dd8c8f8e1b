package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SqlResultTest {
    private final WorkerRig rig = new WorkerRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void whatTheLedgerKeepsOfSqlStatementsIsWhatTheTaskReturns() {
        rig.start("w");

        rig.fire(rig.withArgs(
                rig.run("sql@1", "sql"), "{\"statements\": [\"select 7 as id\", \"select 1 where false\"]}"));

        rig.awaitState("sql@1", "succeeded");
        assertThat(rig.ledger.texts("select result::text from run"))
                .containsExactly("{\"statements\":[{\"rows\":1,\"first\":{\"id\":7}},{\"rows\":0}]}");
    }
}
