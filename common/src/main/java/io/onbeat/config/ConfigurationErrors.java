package io.onbeat.config;

import java.util.List;

/** Everything that is wrong with a configuration, each in a line that names the setting. */
public final class ConfigurationErrors extends RuntimeException {
    private final transient List<String> problems;

    public ConfigurationErrors(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
