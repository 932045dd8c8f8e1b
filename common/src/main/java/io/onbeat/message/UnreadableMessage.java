package io.onbeat.message;

/** A message that can never be run; the message of the exception is the reason, as it is put beside it in the dead queue. */
public final class UnreadableMessage extends RuntimeException {
    public UnreadableMessage(String reason) {
        super(reason);
    }
}
