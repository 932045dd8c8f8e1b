package io.onbeat.local;

import java.util.Locale;

/** Text of others for the terminal: what would steer it (escape sequences, carriage returns, bells) is written out. */
final class Printable {
    private Printable() {}

    static String line(String text) {
        return escaped(text, "\t");
    }

    static String lines(String text) {
        return escaped(text, "\t\n");
    }

    private static String escaped(String text, String allowed) {
        StringBuilder shown = new StringBuilder(text.length());
        text.chars().forEach(character -> {
            if (Character.isISOControl(character) && allowed.indexOf(character) < 0) {
                shown.append(String.format(Locale.ROOT, "\\u%04x", character));
            } else {
                shown.append((char) character);
            }
        });
        return shown.toString();
    }
}
