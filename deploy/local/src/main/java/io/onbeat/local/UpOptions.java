package io.onbeat.local;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What {@code onbeat up} was asked for. */
record UpOptions(int workers, Path schedules, Path root) {
    private static final int MOST_WORKERS = 64;
    private static final String USAGE = "usage: onbeat up [--workers N] [--schedules PATH]";

    /** A schedule file of ONBEAT_SCHEDULES is taken where no word names one. */
    static UpOptions parse(List<String> words, Map<String, String> environment) {
        int workers = 2;
        String source = "ONBEAT_SCHEDULES";
        String schedules = environment.getOrDefault(source, "").strip();
        Path root = Root.folder();
        for (int index = 0; index < words.size(); index += 2) {
            String name = words.get(index);
            if (!List.of("--workers", "--schedules", "--root").contains(name)) {
                throw new ServiceFailure("unknown word " + name + "; " + USAGE);
            }
            if (index + 1 == words.size()) {
                throw new ServiceFailure(name + " needs a value; " + USAGE);
            }
            String value = words.get(index + 1);
            switch (name) {
                case "--workers" -> workers = workers(value);
                case "--schedules" -> {
                    source = name;
                    schedules = value;
                }
                default -> root = Path.of(value).toAbsolutePath().normalize();
            }
        }
        Path file = schedules.isEmpty()
                ? root.resolve("deploy/examples/schedule.yaml")
                : Path.of(schedules).toAbsolutePath().normalize();
        if (!Files.exists(file)) {
            throw new ServiceFailure(
                    (schedules.isEmpty() ? "" : source + " ") + file + ": there is no such file or folder");
        }
        return new UpOptions(workers, file, root);
    }

    private static int workers(String value) {
        try {
            int workers = Integer.parseInt(value);
            if (workers >= 0 && workers <= MOST_WORKERS) {
                return workers;
            }
        } catch (NumberFormatException notANumber) {
            // falls through to the same error
        }
        throw new ServiceFailure("--workers " + value + ": a number from 0 to " + MOST_WORKERS + " is needed");
    }
}
