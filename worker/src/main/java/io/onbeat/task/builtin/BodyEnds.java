package io.onbeat.task.builtin;

import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The beginning and the end of a body of any length, in little memory. */
final class BodyEnds implements Consumer<Optional<byte[]>> {
    private static final int KEPT = 4096;
    private static final Pattern CHARSET = Pattern.compile("(?i)charset=\"?([^\\s;\"]+)");

    private byte[] head = new byte[0];
    private byte[] tail = new byte[0];

    @Override
    public void accept(Optional<byte[]> part) {
        byte[] bytes = part.orElse(new byte[0]);
        if (head.length < KEPT) {
            byte[] joined = join(head, bytes);
            head = Arrays.copyOf(joined, Math.min(KEPT, joined.length));
        }
        byte[] joined = join(tail, bytes);
        tail = Arrays.copyOfRange(joined, Math.max(0, joined.length - KEPT), joined.length);
    }

    String head(HttpResponse<?> response) {
        return new String(head, charset(response));
    }

    String tail(HttpResponse<?> response) {
        return Excerpt.last(new String(tail, charset(response)), KEPT);
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    private static Charset charset(HttpResponse<?> response) {
        Matcher matcher =
                CHARSET.matcher(response.headers().firstValue("Content-Type").orElse(""));
        if (!matcher.find()) {
            return StandardCharsets.UTF_8;
        }
        try {
            return Charset.forName(matcher.group(1));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return StandardCharsets.UTF_8;
        }
    }
}
