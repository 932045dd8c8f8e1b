package io.onbeat.beat.cli;

import io.onbeat.broker.BrokerSettings;

/** Says in one line why the broker gave no answer. */
final class BrokerTrouble {
    private BrokerTrouble() {}

    static String explain(Throwable failure, BrokerSettings settings) {
        String reason = failure.getMessage();
        for (Throwable cause = failure.getCause(); reason == null && cause != null; cause = cause.getCause()) {
            reason = cause.getMessage();
        }
        return "cannot ask the broker at " + settings + ": "
                + (reason == null ? failure.getClass().getSimpleName() : Printable.brief(reason, 200));
    }
}
