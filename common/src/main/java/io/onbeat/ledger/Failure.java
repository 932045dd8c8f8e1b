package io.onbeat.ledger;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Objects;

/** How an attempt failed, cut to what the ledger keeps. */
public record Failure(Kind kind, String errorClass, String message, String stackTrace) {
    private static final int MESSAGE_LENGTH = 4_000;
    private static final int STACK_TRACE_LENGTH = 32_000;

    /** The words of the column {@code attempt.outcome}. */
    public enum Kind {
        FAILED("failed"),
        TIMED_OUT("timed_out"),
        LOST("lost"),
        CANCELLED("cancelled");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    public Failure {
        errorClass = storable(errorClass, MESSAGE_LENGTH);
        message = storable(message, MESSAGE_LENGTH);
        stackTrace = storable(stackTrace, STACK_TRACE_LENGTH);
    }

    public static Failure of(Kind kind, Throwable error) {
        StringWriter trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace));
        String message =
                Objects.requireNonNullElse(error.getMessage(), error.getClass().getSimpleName());
        return new Failure(kind, error.getClass().getName(), message, trace.toString());
    }

    // PostgreSQL's text holds no NUL character
    private static String storable(String text, int length) {
        String whole = text.replace('\0', '\uFFFD');
        return whole.length() <= length ? whole : whole.substring(0, length) + " …";
    }
}
