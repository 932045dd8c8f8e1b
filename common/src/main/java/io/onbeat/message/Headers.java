package io.onbeat.message;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The names of the message headers, and reading them whatever type a publisher gave them. */
public final class Headers {
    public static final String ORIGIN = "origin";
    public static final String ATTEMPT = "attempt";
    public static final String SCHEDULE = "schedule";
    public static final String FIRE_AT = "fire_at";
    public static final String TRACEPARENT = "traceparent";
    /** On messages in a dead queue: the attempt at which the run died. */
    public static final String DEAD = "dead";

    public static final String FAILURES = "failures";
    public static final String ERROR_CLASS = "error_class";
    public static final String ERROR_MESSAGE = "error_message";
    public static final String WORKER = "worker";
    /** On unreadable messages in a dead queue: why nothing could be run. */
    public static final String REASON = "reason";

    /** On messages of a newer version: how often workers have put them off. */
    public static final String RETURNS = "returns";

    // all properties of a message share one frame, of 128 KiB unless the broker is told otherwise
    private static final int LONGEST = 1_000;

    private Headers() {}

    static Optional<String> text(Map<String, Object> headers, String name) {
        Object value = headers.get(name);
        return value == null ? Optional.empty() : Optional.of(value.toString());
    }

    static OptionalInt number(Map<String, Object> headers, String name) {
        Object value = headers.get(name);
        if (value == null) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(value.toString()));
        } catch (NumberFormatException wrong) {
            throw new UnreadableMessage("its header " + name + " '" + value + "' is not a number");
        }
    }

    static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + " …";
    }
}
