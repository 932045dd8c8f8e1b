package io.onbeat.config;

import io.onbeat.schedule.Durations;
import io.onbeat.schedule.Nearest;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The settings of a process, by name: the environment, over the lines {@code NAME=value} of the file that {@code
 * ONBEAT_CONFIG} names. A name with {@code _FILE} at its end gives the path of a file that holds the value. Reading never
 * throws: what is wrong is collected, and {@link #check} reports all of it at once.
 */
public final class Settings {
    private static final String PREFIX = "ONBEAT_";
    private static final String FILE = "_FILE";
    public static final String CONFIG = "ONBEAT_CONFIG";

    private final Map<String, String> values;
    private final Set<String> read = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();

    private Settings(Map<String, String> values, List<String> problems) {
        this.values = values;
        this.problems.addAll(problems);
        this.read.add(CONFIG);
    }

    public static Settings of(Map<String, String> environment) {
        Map<String, String> values = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        String config = environment.get(CONFIG);
        if (config != null) {
            values.putAll(file(config, problems));
        }
        environment.forEach((name, value) -> {
            if (name.startsWith(PREFIX)) {
                values.put(name, value);
            }
        });
        return new Settings(values, problems);
    }

    public String text(String name, String otherwise) {
        return optional(name).orElse(otherwise);
    }

    public Optional<String> optional(String name) {
        read.add(name);
        String value = values.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value.isBlank()) {
            return Optional.empty();
        }
        return Optional.of(value.strip());
    }

    /** A value that may be given as the content of a file too. */
    public Optional<String> secret(String name) {
        read.add(name);
        Optional<String> path = optional(name + FILE);
        if (path.isEmpty()) {
            return Optional.ofNullable(values.get(name));
        }
        try {
            return Optional.of(Files.readString(Path.of(path.get())).stripTrailing());
        } catch (IOException | RuntimeException unreadable) {
            problems.add(name + FILE + ": cannot read '" + path.get() + "'");
            return Optional.empty();
        }
    }

    public int number(String name, int otherwise, int least, int most) {
        return parsed(name, otherwise, text -> {
            int number;
            try {
                number = Integer.parseInt(text);
            } catch (NumberFormatException wrong) {
                throw new IllegalArgumentException("is not a whole number");
            }
            if (number < least || number > most) {
                throw new IllegalArgumentException("is not from " + least + " to " + most);
            }
            return number;
        });
    }

    public Duration duration(String name, Duration otherwise, Duration least) {
        return parsed(name, otherwise, text -> {
            Duration duration;
            try {
                duration = Durations.parse(text);
            } catch (RuntimeException wrong) {
                throw new IllegalArgumentException("is not a duration such as 30s, 5m or 1h");
            }
            if (duration.compareTo(least) < 0) {
                throw new IllegalArgumentException("is less than " + Durations.format(least));
            }
            return duration;
        });
    }

    public boolean flag(String name, boolean otherwise) {
        return parsed(name, otherwise, text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("is neither true nor false");
        });
    }

    /** Reads a setting by {@code parser}, which refuses with an IllegalArgumentException that goes on "NAME 'value' …". */
    public <T> T parsed(String name, T otherwise, Function<String, T> parser) {
        Optional<String> text = optional(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            return parser.apply(text.get());
        } catch (IllegalArgumentException wrong) {
            problems.add(name + " '" + withoutSecrets(text.get()) + "' " + wrong.getMessage());
            return otherwise;
        }
    }

    /** The names that are set and start with {@code prefix}. */
    public Set<String> names(String prefix) {
        return values.keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    public void problem(String problem) {
        problems.add(problem);
    }

    /** @throws ConfigurationErrors when a setting was wrong, or one is set that no process of Onbeat reads */
    public void check() {
        for (String name : values.keySet()) {
            if (!SettingNames.known(name) && !read.contains(name)) {
                problems.add(name + " is no setting" + Nearest.hint(name, SettingNames.ALL));
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationErrors(problems);
        }
    }

    private static String withoutSecrets(String value) {
        return value.replaceAll("(?<=://)[^/@]*@", "***@").replaceAll("(?i)(password=)[^&]*", "$1***");
    }

    private static Map<String, String> file(String path, List<String> problems) {
        Properties lines = new Properties();
        try {
            lines.load(new StringReader(Files.readString(Path.of(path))));
        } catch (IOException | RuntimeException unreadable) {
            problems.add(CONFIG + ": cannot read '" + path + "'");
        }
        Map<String, String> values = new TreeMap<>();
        lines.stringPropertyNames().forEach(name -> values.put(name, lines.getProperty(name)));
        return values;
    }
}
