package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresBinariesTest {
    @TempDir
    Path cache;

    @Test
    void whatAnEarlierProcessLeftHalfUnpackedIsMadeWhole() throws Exception {
        Path first = PostgresBinaries.unpacked(cache);
        Path half = first.resolveSibling(first.getFileName() + ".half");
        Files.move(first, half);
        Files.delete(half.resolve("bin/initdb"));

        Path second = PostgresBinaries.unpacked(cache);

        assertThat(second).isEqualTo(first);
        assertThat(half).doesNotExist();
        for (String program : List.of("postgres", "initdb")) {
            assertThat(second.resolve("bin").resolve(program)).isExecutable();
        }
        try (Stream<Path> left = Files.list(cache)) {
            assertThat(left).hasSize(2);
        }
    }
}
