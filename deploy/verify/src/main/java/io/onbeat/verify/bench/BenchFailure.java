package io.onbeat.verify.bench;

/** A benchmark that has no result; the message says why. */
final class BenchFailure extends RuntimeException {
    BenchFailure(String message) {
        super(message);
    }

    BenchFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
