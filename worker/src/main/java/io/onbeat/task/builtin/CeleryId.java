package io.onbeat.task.builtin;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * The id of a run in Celery: a UUID of version 5 (RFC 9562, section 5.5) of its run key. The key itself would not do, since
 * some of Celery's result back ends have no room for it, or make a file or a queue of it.
 */
final class CeleryId {
    // of the RFC, for names that are URLs
    private static final UUID URL = UUID.fromString("6ba7b811-9dad-11d1-80b4-00c04fd430c8");

    private CeleryId() {}

    static UUID of(String namespace, String runKey) {
        byte[] name = ("onbeat:" + namespace + ":" + runKey).getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(16 + name.length);
        bytes.putLong(URL.getMostSignificantBits())
                .putLong(URL.getLeastSignificantBits())
                .put(name);
        ByteBuffer hash = ByteBuffer.wrap(sha1(bytes.array()));
        long high = hash.getLong() & 0xffffffffffff0fffL | 0x5000L;
        long low = hash.getLong() & 0x3fffffffffffffffL | 0x8000000000000000L;
        return new UUID(high, low);
    }

    private static byte[] sha1(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-1", impossible);
        }
    }
}
