package io.onbeat.verify.bench;

import java.io.PrintWriter;
import java.util.Locale;

/** Says on the error stream what is going on, so that the result alone is on the output. */
final class Progress {
    private final PrintWriter out;
    private final long startNanos = System.nanoTime();

    Progress(PrintWriter out) {
        this.out = out;
    }

    void say(String what) {
        out.printf(Locale.ROOT, "%4d s  %s%n", (System.nanoTime() - startNanos) / 1_000_000_000, what);
        out.flush();
    }
}
