package io.onbeat.schedule;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;

/**
 * How far the starts of a schedule's runs are spread, so that many that are due at once do not start at once.
 *
 * @param most no run starts later than this after its fire time on account of the jitter; zero for none
 */
public record Jitter(Duration most) {
    public static final Jitter NONE = new Jitter(Duration.ZERO);

    private static final int FRACTION_BITS = 53;

    /**
     * How long after its fire time a run starts: 0 to {@link #most()}, in whole milliseconds, spread evenly. It follows from
     * the run key alone, so that every beat and every restart finds the same.
     */
    public Duration offset(String runKey) {
        if (most.isZero()) {
            return Duration.ZERO;
        }
        MessageDigest digest = Json.sha256();
        long hash = ByteBuffer.wrap(digest.digest(runKey.getBytes(StandardCharsets.UTF_8)))
                .getLong();
        double fraction = (hash >>> (Long.SIZE - FRACTION_BITS)) * Math.pow(2, -FRACTION_BITS);
        return Duration.ofMillis((long) (fraction * (most.toMillis() + 1)));
    }
}
