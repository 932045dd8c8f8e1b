package io.onbeat.local;

import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Lines for the person at the terminal, each with its time in UTC like the run keys. Nothing in them steers the terminal. */
final class Screen {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final PrintStream out;

    Screen(PrintStream out) {
        this.out = out;
    }

    void line(String text) {
        line(Instant.now(), text);
    }

    synchronized void line(Instant at, String text) {
        out.println(TIME.format(at) + "  " + Printable.line(text));
    }

    synchronized void block(String text) {
        out.println(Printable.lines(text));
    }
}
