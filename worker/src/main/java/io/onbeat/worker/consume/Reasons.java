package io.onbeat.worker.consume;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;

/** What the broker said when it refused, in one line. */
public final class Reasons {
    private Reasons() {}

    public static String of(Throwable error) {
        String reason = "";
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof ShutdownSignalException shutdown) {
                if (shutdown.getReason() instanceof AMQP.Channel.Close close) {
                    return close.getReplyText();
                }
                if (shutdown.getReason() instanceof AMQP.Connection.Close close) {
                    return close.getReplyText();
                }
            }
            if (cause.getMessage() != null && !cause.getMessage().isBlank()) {
                reason = cause.getMessage().lines().findFirst().orElse("");
            }
        }
        return reason.isEmpty() ? error.getClass().getSimpleName() : reason;
    }
}
