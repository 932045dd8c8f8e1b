package io.onbeat.worker.execute;

import io.onbeat.ledger.Ledger;
import io.onbeat.lock.Locks;
import io.onbeat.worker.retry.PatientLedger;
import java.util.function.UnaryOperator;

/**
 * What every attempt on this worker is given.
 *
 * @param worker the id of this worker
 * @param environment a variable's value by name, null where it is not set
 */
public record TaskKit(
        TaskRegistry tasks,
        DataSources dataSources,
        Ledger database,
        PatientLedger ledger,
        Locks locks,
        String worker,
        UnaryOperator<String> environment) {

    /** The ledger's schema. */
    String namespace() {
        return database.namespace();
    }
}
