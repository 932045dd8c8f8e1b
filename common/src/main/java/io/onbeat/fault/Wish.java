package io.onbeat.fault;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where this process was told to crash, or one of its threads to stand still. Read once, at the first passing. */
final class Wish {
    static final String CRASH = "onbeat.crash-at";
    static final String FREEZE = "onbeat.freeze-at";
    /** A frozen thread goes on when this file is gone; without the property it never does. */
    static final String FREEZE_WHILE = "onbeat.freeze-while";
    /** As a shell reports a process that kill -9 has ended. */
    static final int KILLED = 137;

    private static final Logger log = LoggerFactory.getLogger(Wish.class);
    private static final Read READ = read();
    static final boolean PRESENT = READ.target.isPresent();
    private static final AtomicInteger passings = new AtomicInteger();

    private Wish() {}

    /** @param passing from 1 */
    record Target(CrashPoint point, int passing, boolean freeze) {

        static Target parse(String text, boolean freeze) {
            String[] parts = text.split("#", 2);
            int passing = parts.length == 1 ? 1 : Integer.parseInt(parts[1]);
            if (passing < 1) {
                throw new IllegalArgumentException("passings count from 1");
            }
            return new Target(CrashPoint.valueOf(parts[0]), passing, freeze);
        }
    }

    private record Read(Optional<Target> target, Optional<String> problem) {}

    static Optional<String> problem() {
        return READ.problem;
    }

    static void passed(CrashPoint point) {
        Target target = READ.target.orElseThrow();
        if (point != target.point || passings.incrementAndGet() != target.passing) {
            return;
        }
        if (target.freeze) {
            log.warn("standing still at {}, passing {}", point, target.passing);
            standStill(Optional.ofNullable(System.getProperty(FREEZE_WHILE)).map(Path::of));
            log.warn("going on from {}", point);
        } else {
            log.warn("crashing at {}, passing {}", point, target.passing);
            Runtime.getRuntime().halt(KILLED);
        }
    }

    // no interrupt wakes it: it stands for a thread that gets no processor
    private static void standStill(Optional<Path> file) {
        boolean interrupted = false;
        while (file.isEmpty() || Files.exists(file.get())) {
            try {
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Read read() {
        String crash = System.getProperty(CRASH);
        String freeze = System.getProperty(FREEZE);
        if (crash == null && freeze == null) {
            return new Read(Optional.empty(), Optional.empty());
        }
        if (crash != null && freeze != null) {
            return new Read(Optional.empty(), Optional.of("-D" + CRASH + " and -D" + FREEZE + " exclude each other"));
        }
        return crash != null ? parsed(CRASH, crash, false) : parsed(FREEZE, freeze, true);
    }

    private static Read parsed(String property, String text, boolean freeze) {
        try {
            return new Read(Optional.of(Target.parse(text, freeze)), Optional.empty());
        } catch (IllegalArgumentException wrong) {
            return new Read(
                    Optional.empty(),
                    Optional.of(
                            "-D" + property + "=" + text + " names no crash point: write NAME or NAME#3, NAME one of "
                                    + Arrays.toString(CrashPoint.values())));
        }
    }
}
