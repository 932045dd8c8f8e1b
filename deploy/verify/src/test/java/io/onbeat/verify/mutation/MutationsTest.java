package io.onbeat.verify.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every mutation fits the sources as they are, and its test is there; {@code onbeat test mutations} makes them. */
class MutationsTest {
    private static final Path ROOT =
            Path.of(System.getProperty("onbeat.root", "../..")).toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> everyMutationFitsTheSources() {
        return Mutations.ALL.stream()
                .map(mutation -> DynamicTest.dynamicTest(mutation.name(), () -> {
                    Stream.concat(mutation.guard().stream(), mutation.masks().stream())
                            .forEach(edit -> assertThat(edit.apply(ROOT)).contains(edit.after()));
                    assertThat(sourceOf(mutation.probe()))
                            .content()
                            .contains(mutation.probe().test().replaceFirst("^[^#]*#?", ""));
                }));
    }

    private static Path sourceOf(Mutation.Probe probe) throws IOException {
        String file = probe.test().replaceFirst("#.*", "") + ".java";
        try (Stream<Path> sources = Files.walk(ROOT.resolve(probe.module()).resolve("src/test/java"))) {
            return sources.filter(path -> path.endsWith(file))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(probe.module() + " has no " + file));
        }
    }

    @Test
    void namesAreUnique() {
        assertThat(Mutations.ALL).extracting(Mutation::name).doesNotHaveDuplicates();
    }

    @Test
    void aTextThatStandsNowhereOrTwiceIsAnErrorThatSaysSo() throws IOException {
        Files.writeString(folder.resolve("A.java"), "one two two");
        assertThat(new Edit("A.java", "one", "none").apply(folder)).isEqualTo("none two two");
        for (String wrong : List.of("two", "three")) {
            assertThatThrownBy(() -> new Edit("A.java", wrong, "").apply(folder))
                    .hasMessageContaining("A.java")
                    .hasMessageContaining(wrong);
        }
    }
}
