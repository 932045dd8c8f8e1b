package io.onbeat.schedule;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The schedule files that people are shown: the examples, and the YAML of the pages. */
final class DocYaml {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$");

    private DocYaml() {}

    static List<String> schedules(Path root) throws IOException {
        List<String> all = new ArrayList<>(blocks(root.resolve("README.md")));
        for (Path page : list(root.resolve("docs"), ".md")) {
            all.addAll(blocks(page));
        }
        for (Path example : list(root.resolve("deploy/examples"), ".yaml")) {
            all.add(Files.readString(example));
        }
        return all;
    }

    /** Every block of YAML as a whole file; one that shows schedules alone is put under {@code schedules}. */
    static List<String> blocks(Path page) throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(page));
        List<String> blocks = new ArrayList<>();
        while (block.find()) {
            String yaml = block.group(1);
            boolean whole =
                    Pattern.compile("(?m)^(schedules|calendars):").matcher(yaml).find();
            blocks.add(whole ? yaml : "schedules:\n" + yaml.indent(2));
        }
        return blocks;
    }

    private static List<Path> list(Path directory, String end) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(path -> path.toString().endsWith(end))
                    .sorted()
                    .toList();
        }
    }
}
