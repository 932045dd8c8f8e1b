package io.onbeat.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/guarantees.md says of the guards is there: the code, its tests, the model's words and the mutations. */
class GuaranteesTableTest {
    private static final Path ROOT = Path.of(System.getProperty("onbeat.root"));
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern GUARD = Pattern.compile("#ifdef (NO_\\w+)|#ifndef (NO_\\w+)");
    private static final Pattern MUTATION = Pattern.compile("Mutation\\.of\\(\\s*\"([a-z-]+)\"");

    private final Map<String, String> sources = new HashMap<>();
    private final List<String[]> rows;

    GuaranteesTableTest() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .filter(each -> !each.toString().contains("/target/")
                            && !each.toString().contains("/.onbeat/"))
                    .toList()) {
                sources.merge(
                        file.getFileName().toString().replace(".java", ""), Files.readString(file), String::concat);
            }
        }
        rows = Files.readAllLines(ROOT.resolve("docs/guarantees.md")).stream()
                .dropWhile(line -> !line.startsWith("| what holds |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split("\\|", -1))
                .toList();
    }

    @Test
    void everyPlaceInTheCodeIsThere() {
        assertThat(rows).hasSizeGreaterThan(10).allMatch(row -> row.length == 7);
        rows.stream().flatMap(row -> quoted(row[2])).forEach(place -> {
            String[] names = place.split("\\.");
            assertThat(sources).as(place).containsKey(names[0]);
            assertThat(sources.get(names[0])).as(place).containsPattern("\\b" + names[1] + "\\(");
        });
    }

    @Test
    void everyTestIsThere() {
        assertThat(rows.stream().flatMap(row -> quoted(row[3])))
                .allSatisfy(test -> assertThat(sources).containsKey(test));
    }

    @Test
    void everyGuardOfTheModelIsNamedAndItsFaultIsLookedFor() throws IOException {
        String model = Files.readString(ROOT.resolve("deploy/verify/src/test/resources/model/onbeat.pml"));
        List<String> guards = GUARD.matcher(model)
                .results()
                .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                .distinct()
                .toList();
        assertThat(rows.stream().flatMap(row -> quoted(row[4])).distinct()).containsExactlyInAnyOrderElementsOf(guards);
        assertThat(guards).allMatch(guard -> sources.get("ModelTest").contains("-D" + guard));
    }

    @Test
    void everyMutationIsThere() {
        Matcher names = MUTATION.matcher(sources.get("Mutations"));
        List<String> known = names.results().map(found -> found.group(1)).toList();
        assertThat(rows.stream().flatMap(row -> quoted(row[5]))).isNotEmpty().allMatch(known::contains);
    }

    private static Stream<String> quoted(String cell) {
        return QUOTED.matcher(cell).results().map(found -> found.group(1));
    }
}
