package io.onbeat.verify.faults.tasks;

/** A failure that the args of a run asked for: no other code throws it. */
public final class Misfortune extends Exception {
    private static final long serialVersionUID = 1L;

    Misfortune(String message) {
        super(message);
    }
}
