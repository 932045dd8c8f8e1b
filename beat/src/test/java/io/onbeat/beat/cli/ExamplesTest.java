package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What help and the pages tell people to write is understood. */
class ExamplesTest {
    private static final Pattern EXAMPLE = Pattern.compile("(?m)^(?: {2})?(?:[A-Z_]+=\\S+ )?(?:\\./)?onbeat (.+)$");
    private static final Pattern CONSOLE = Pattern.compile("(?s)```console\\n(.*?)```");
    private static final Path SCHEDULES = Path.of(System.getProperty("onbeat.root"), "docs/schedules.md");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    @Test
    void the_examples_of_help_are_understood() {
        List<List<String>> examples = new ArrayList<>();
        collect(OnbeatCli.commandLine(Map.of()), examples);
        assertThat(examples).hasSizeGreaterThan(15).allSatisfy(ExamplesTest::assertUnderstood);
    }

    private static void collect(CommandLine command, List<List<String>> examples) {
        examples.addAll(examples(
                String.join("\n", command.getCommandSpec().usageMessage().footer())));
        command.getSubcommands().values().forEach(sub -> collect(sub, examples));
    }

    @Test
    void the_page_of_operations_shows_every_command_as_it_is() throws IOException {
        Path page = Path.of(System.getProperty("onbeat.root")).resolve("docs/operations.md");
        List<List<String>> examples = examples(Files.readString(page));
        assertThat(examples).allSatisfy(ExamplesTest::assertUnderstood);
        CommandLine root = OnbeatCli.commandLine(Map.of());
        assertThat(examples.stream().map(words -> words.get(0)))
                .containsAll(root.getSubcommands().keySet());
        assertThat(examples.stream()
                        .filter(words -> words.get(0).equals("dead"))
                        .map(words -> words.get(1)))
                .containsAll(root.getSubcommands().get("dead").getSubcommands().keySet());
    }

    @Test
    void the_page_of_schedules_shows_commands_that_are_understood() throws IOException {
        assertThat(examples(Files.readString(SCHEDULES)))
                .hasSizeGreaterThan(3)
                .allSatisfy(ExamplesTest::assertUnderstood);
    }

    @Test
    void what_the_page_of_schedules_shows_of_answers_is_what_commands_print() throws IOException {
        Matcher block = CONSOLE.matcher(Files.readString(SCHEDULES));
        int answers = 0;
        while (block.find()) {
            for (String shown : block.group(1).split("(?m)^\\$ \\./onbeat ")) {
                if (!shown.isEmpty()) {
                    String[] parts = shown.split("\n", 2);
                    assertThat(Cli.onbeat(words(parts[0]))).isEqualTo(new Cli(0, parts[1], ""));
                    answers++;
                }
            }
        }
        assertThat(answers).isEqualTo(3);
    }

    private static List<List<String>> examples(String text) {
        return EXAMPLE.matcher(text).results().map(line -> words(line.group(1))).toList();
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(line);
        while (word.find()) {
            words.add(word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3));
        }
        return words;
    }

    private static void assertUnderstood(List<String> words) {
        assertThatCode(() -> OnbeatCli.commandLine(Map.of()).parseArgs(words.toArray(String[]::new)))
                .as(String.join(" ", words))
                .doesNotThrowAnyException();
    }
}
