package io.onbeat.local;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Follows the beat's log and tells what became of the schedule file: taken over, or refused and why. */
final class BeatLog implements Runnable {
    private static final int MOST_AT_ONCE = 1 << 20;
    private static final Pattern REFUSED =
            Pattern.compile("ScheduleWatcher: (.* is not taken over, the last good schedules stay in force):$");
    private static final Pattern IN_FORCE = Pattern.compile("FireLoop: (\\d+ schedules in force, \\d+ of them fire)$");

    private final Path log;
    private final Screen screen;
    private long read;
    // The reason stands in the line below, which may be written a moment later.
    private Optional<String> refused = Optional.empty();

    BeatLog(Path log, Screen screen) {
        this.log = log;
        this.screen = screen;
    }

    /** One look at the whole lines that are new. */
    @Override
    public void run() {
        if (!Files.exists(log)) {
            return;
        }
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(read);
            byte[] fresh = new byte[(int) Math.min(MOST_AT_ONCE, Math.max(0, file.length() - read))];
            file.readFully(fresh);
            int whole = fresh.length == MOST_AT_ONCE ? fresh.length : endOfLastLine(fresh);
            read += whole;
            new String(fresh, 0, whole, StandardCharsets.UTF_8).lines().forEach(this::line);
        } catch (IOException notNow) {
            // the next look is soon
        }
    }

    private static int endOfLastLine(byte[] text) {
        int end = text.length;
        while (end > 0 && text[end - 1] != '\n') {
            end--;
        }
        return end;
    }

    private void line(String line) {
        refused.ifPresent(what -> screen.line(what + ": " + line.strip()));
        refused = Optional.empty();
        Matcher refusal = REFUSED.matcher(line);
        if (refusal.find()) {
            refused = Optional.of(refusal.group(1));
        }
        Matcher taken = IN_FORCE.matcher(line);
        if (taken.find()) {
            screen.line(taken.group(1));
        }
    }
}
