package io.onbeat.worker.execute;

/** An ordinary failure: a rolling update may bring the task before the attempts are used up. */
final class UnknownTask extends Exception {
    UnknownTask(String message) {
        super(message);
    }
}
