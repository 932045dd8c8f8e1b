package io.onbeat.message;

/** A message that only a newer Onbeat can read: this worker must neither run it nor take it for broken. */
public final class NewerMessage extends RuntimeException {
    private final int returns;

    NewerMessage(int version, int returns) {
        super("its body has version " + version + ", and this worker reads up to " + MessageCodec.VERSION
                + ": update it");
        this.returns = returns;
    }

    /** How often workers have put it off before. */
    public int returns() {
        return returns;
    }
}
