package io.onbeat.worker.execute;

import java.util.function.UnaryOperator;

/**
 * What every attempt on this worker is given.
 *
 * @param namespace the ledger's schema
 * @param environment a variable's value by name, null where it is not set
 */
public record TaskKit(
        TaskRegistry tasks, DataSources dataSources, String namespace, UnaryOperator<String> environment) {}
