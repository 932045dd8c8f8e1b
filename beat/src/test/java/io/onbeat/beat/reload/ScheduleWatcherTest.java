package io.onbeat.beat.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.schedule.ScheduleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScheduleWatcherTest {
    private static final String ONE = "schedules:\n  a: {every: 1h, task: noop}\n";
    private static final String TWO = ONE + "  b: {every: 1h, task: noop}\n";

    @TempDir
    Path folder;

    private final List<ScheduleSet> taken = new ArrayList<>();
    private int refusals;

    private ScheduleWatcher watching(Path path) {
        ScheduleWatcher watcher = new ScheduleWatcher(path, taken::add, () -> refusals++);
        watcher.look();
        return watcher;
    }

    private static void lookTwice(ScheduleWatcher watcher) {
        watcher.look();
        watcher.look();
    }

    @Test
    void a_change_is_taken_over_once_it_is_still_the_same_at_the_next_look() throws IOException {
        Path file = Files.writeString(folder.resolve("s.yaml"), ONE);
        ScheduleWatcher watcher = watching(file);
        assertThat(taken).hasSize(1);
        Files.writeString(file, "schedules:\n");
        watcher.look();
        Files.writeString(file, TWO);
        watcher.look();
        assertThat(taken).hasSize(1);
        watcher.look();
        assertThat(taken).hasSize(2);
        lookTwice(watcher);
        assertThat(taken).hasSize(2);
        assertThat(taken.get(1).size()).isEqualTo(2);
    }

    @Test
    void a_bad_file_leaves_the_last_good_set_and_is_reported_until_it_is_mended() throws IOException {
        Path file = Files.writeString(folder.resolve("s.yaml"), ONE);
        ScheduleWatcher watcher = watching(file);
        Files.writeString(file, "schedules:\n  a: {evry: 1h, task: noop}\n");
        lookTwice(watcher);
        assertThat(taken).hasSize(1);
        assertThat(watcher.error())
                .hasValueSatisfying(error -> assertThat(error).contains("s.yaml:2:7", "every"));
        Files.writeString(file, TWO);
        lookTwice(watcher);
        assertThat(watcher.error()).isEmpty();
        assertThat(taken).hasSize(2);
    }

    @Test
    void a_file_that_is_not_there_is_reported_and_taken_over_when_it_comes() throws IOException {
        Path file = folder.resolve("later.yaml");
        ScheduleWatcher watcher = watching(file);
        assertThat(watcher.error()).isPresent();
        assertThat(refusals).isEqualTo(1);
        Files.writeString(file, ONE);
        lookTwice(watcher);
        assertThat(watcher.error()).isEmpty();
        assertThat(taken).hasSize(1);
    }

    @Test
    void the_swap_of_a_link_to_a_folder_is_seen() throws IOException {
        Path first = Files.createDirectory(folder.resolve("..2026_1"));
        Path second = Files.createDirectory(folder.resolve("..2026_2"));
        Files.writeString(first.resolve("s.yaml"), ONE);
        Files.writeString(second.resolve("s.yaml"), TWO);
        Path data = Files.createSymbolicLink(folder.resolve("..data"), first.getFileName());
        Path mounted = Files.createDirectory(folder.resolve("mounted"));
        Files.createSymbolicLink(mounted.resolve("s.yaml"), Path.of("..", "..data", "s.yaml"));
        ScheduleWatcher watcher = watching(mounted);
        Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), second.getFileName());
        Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        lookTwice(watcher);
        assertThat(taken).hasSize(2);
        assertThat(taken.get(1).size()).isEqualTo(2);
    }

    @Test
    void a_reload_on_demand_answers_what_came_of_it() throws IOException {
        Path file = Files.writeString(folder.resolve("s.yaml"), ONE);
        ScheduleWatcher watcher = watching(file);
        assertThat(watcher.reload()).isEmpty();
        Files.writeString(file, "[");
        assertThat(watcher.reload()).isPresent();
        assertThat(taken).hasSize(2);
    }
}
