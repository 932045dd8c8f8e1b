package io.onbeat.beat.reload;

import io.onbeat.schedule.ScheduleErrors;
import io.onbeat.schedule.ScheduleFile;
import io.onbeat.schedule.ScheduleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the schedule file when it has changed. It looks at names, sizes and times itself: notifications are lost where
 * the file is mounted, or is a link that is swapped. What cannot be read leaves the last good set in force.
 */
public final class ScheduleWatcher {
    private static final Logger log = LoggerFactory.getLogger(ScheduleWatcher.class);

    private final Path path;
    private final Consumer<ScheduleSet> accept;
    private final Runnable refused;
    private List<Stamp> seen = List.of();
    private List<Stamp> changing = List.of();
    private volatile Optional<String> error = Optional.empty();

    private record Stamp(Path file, long size, FileTime modified, Object key) {}

    /**
     * @param accept gets every set of schedules that is read without an error
     * @param refused called when the file cannot be taken over
     */
    public ScheduleWatcher(Path path, Consumer<ScheduleSet> accept, Runnable refused) {
        this.path = path;
        this.accept = accept;
        this.refused = refused;
    }

    /**
     * Looks once. A change is taken over when the next look finds it still the same: a file that is being written is not
     * read in the middle.
     */
    public synchronized void look() {
        List<Stamp> now = stamps();
        boolean first = seen.isEmpty() && error.isEmpty();
        if (!now.equals(seen) && (first || now.equals(changing)) || now.isEmpty() && error.isEmpty()) {
            load(now);
        }
        changing = now;
    }

    /**
     * Reads it now, changed or not.
     *
     * @return what is wrong with it; empty when it is in force from the next pass on
     */
    public synchronized Optional<String> reload() {
        load(stamps());
        return error;
    }

    /** What is wrong with the file as it is now; empty when all of it is in force. */
    public Optional<String> error() {
        return error;
    }

    private void load(List<Stamp> now) {
        seen = now;
        try {
            ScheduleSet schedules = ScheduleFile.load(path);
            error = Optional.empty();
            accept.accept(schedules);
        } catch (ScheduleErrors wrong) {
            error = Optional.of(wrong.getMessage());
            log.error("{} is not taken over, the last good schedules stay in force:\n{}", path, wrong.getMessage());
            refused.run();
        }
    }

    private List<Stamp> stamps() {
        List<Stamp> stamps = new ArrayList<>();
        try {
            if (Files.isDirectory(path)) {
                try (Stream<Path> files = Files.list(path)) {
                    for (Path file : files.sorted().toList()) {
                        stamps.add(stamp(file));
                    }
                }
            } else {
                stamps.add(stamp(path));
            }
        } catch (IOException vanished) {
            return List.of();
        }
        return stamps;
    }

    private static Stamp stamp(Path file) throws IOException {
        Path real = file.toRealPath();
        return new Stamp(real, Files.size(real), Files.getLastModifiedTime(real), Files.getAttribute(real, "unix:ino"));
    }
}
