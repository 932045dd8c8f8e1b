package io.onbeat.task.builtin;

/** Parts of foreign text that are safe to keep in the ledger: no half characters, and no NUL, which PostgreSQL refuses. */
final class Excerpt {
    private Excerpt() {}

    static String first(String text, int length) {
        if (text.length() <= length) {
            return storable(text);
        }
        int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
        return storable(text.substring(0, end)) + "…";
    }

    static String last(String text, int length) {
        if (text.length() <= length) {
            return storable(text);
        }
        int start = text.length() - length;
        if (Character.isLowSurrogate(text.charAt(start))) {
            start++;
        }
        return "…" + storable(text.substring(start));
    }

    private static String storable(String text) {
        return text.replace('\0', '\uFFFD');
    }
}
