package io.onbeat.beat.cli;

import java.util.Locale;
import java.util.function.IntPredicate;

/** Keeps what data says from steering the terminal: control characters and changes of direction are shown as their codes. */
final class Printable {
    private Printable() {}

    /** One line for people. */
    static String line(String text) {
        return escaped(text.replace("\t", "    "), c -> Character.isISOControl(c) || steers(c));
    }

    /** JSON text: such characters stand inside its strings only, where the code means the same. */
    static String json(String text) {
        return escaped(text, c -> c >= 0x7f && (Character.isISOControl(c) || steers(c)));
    }

    /** At most {@code longest} characters, in one line. */
    static String brief(String text, int longest) {
        String line = text.strip().replaceAll("\\s*\\R\\s*", " ");
        if (line.length() <= longest) {
            return line;
        }
        int end = longest - 1;
        return line.substring(0, Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end) + "…";
    }

    // line and paragraph separators; marks, embeddings, overrides and isolates of direction
    private static boolean steers(int c) {
        return c == 0x2028
                || c == 0x2029
                || c == 0x200e
                || c == 0x200f
                || c == 0x061c
                || c >= 0x202a && c <= 0x202e
                || c >= 0x2066 && c <= 0x2069;
    }

    private static String escaped(String text, IntPredicate unfit) {
        if (text.chars().noneMatch(unfit)) {
            return text;
        }
        StringBuilder safe = new StringBuilder(text.length() + 16);
        text.chars().forEach(c -> {
            if (unfit.test(c)) {
                safe.append("\\u").append(String.format(Locale.ROOT, "%04x", c));
            } else {
                safe.append((char) c);
            }
        });
        return safe.toString();
    }
}
