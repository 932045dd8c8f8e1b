package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Schedule files of a test, in a directory of its own. */
record TestFiles(Path directory) {
    Path write(String name, String yaml) {
        try {
            return Files.writeString(directory.resolve(name), yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ScheduleSet load(String yaml) {
        return ScheduleFile.load(write("schedule.yaml", yaml));
    }

    /** The only schedule of the file. */
    Schedule one(String yaml) {
        return load(yaml).all().iterator().next();
    }

    /** The problems as {@code line:column: message}. */
    List<String> problems(String yaml) {
        return problems(write("schedule.yaml", yaml));
    }

    List<String> problems(Path path) {
        return errors(path).problems().stream()
                .map(problem -> problem.toString()
                        .substring(problem.file().length() + 1)
                        .strip())
                .toList();
    }

    static ScheduleErrors errors(Path path) {
        return catchThrowableOfType(ScheduleErrors.class, () -> ScheduleFile.load(path));
    }
}
