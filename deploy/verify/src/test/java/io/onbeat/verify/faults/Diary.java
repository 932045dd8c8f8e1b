package io.onbeat.verify.faults;

import io.onbeat.verify.faults.check.Expectations;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Prints what happens, as it happens, and counts the faults. */
final class Diary {
    private final PrintStream out;
    private final Map<Kind, Integer> struck = new EnumMap<>(Kind.class);
    private long start = System.nanoTime();

    Diary(PrintStream out) {
        this.out = out;
    }

    /** The faults begin now. */
    synchronized void begin() {
        start = System.nanoTime();
    }

    synchronized long start() {
        return start;
    }

    synchronized void say(String what) {
        out.printf(Locale.ROOT, "%6.1f s  %s%n", (System.nanoTime() - start) / 1e9, what);
    }

    void strikes(Strike strike) {
        say(name(strike));
    }

    synchronized void struck(Strike strike) {
        struck.merge(strike.kind(), 1, Integer::sum);
    }

    void healed(Strike strike) {
        say(name(strike) + " is over");
    }

    void notYetHealed(Strike strike, Exception why) {
        say(name(strike) + " is not over yet: " + why);
    }

    void missed(Strike strike, Exception why) {
        say(name(strike) + " missed: " + why);
    }

    private static String name(Strike strike) {
        return strike.kind().word() + " " + strike.place();
    }

    /** What these faults may have done to the message of a dead run. */
    Expectations.Dead deadMessages() {
        Map<Kind, Integer> counts = counts();
        if (counts.containsKey(Kind.BROKER_WIPE)) {
            return Expectations.Dead.MAY_BE_GONE;
        }
        return counts.isEmpty() ? Expectations.Dead.EXACTLY_ONE : Expectations.Dead.AT_LEAST_ONE;
    }

    synchronized Map<Kind, Integer> counts() {
        return new EnumMap<>(struck);
    }
}
