package io.onbeat.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What docker-compose.yml says, with the defaults of its variables. */
record ComposeFile(Map<String, Service> services) {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{[A-Z_]+:-([^}]*)}");

    /** The keys of one service; a key that is not there reads as empty. */
    record Service(Map<?, ?> keys) {
        Map<String, String> environment() {
            return texts(keys.get("environment"));
        }

        String buildTarget() {
            return texts(keys.get("build")).getOrDefault("target", "");
        }

        List<String> ports() {
            return list("ports");
        }

        List<String> volumes() {
            return list("volumes");
        }

        boolean has(String key) {
            return keys.containsKey(key);
        }

        String text(String key) {
            return String.valueOf(keys.get(key));
        }

        private List<String> list(String key) {
            return keys.get(key) instanceof List<?> list
                    ? list.stream().map(String::valueOf).toList()
                    : List.of();
        }
    }

    static ComposeFile read(Path file) throws IOException {
        String text = defaulted(Files.readString(file));
        Map<?, ?> top = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        Map<String, Service> services = new TreeMap<>();
        ((Map<?, ?>) top.get("services"))
                .forEach((name, keys) -> services.put(String.valueOf(name), new Service((Map<?, ?>) keys)));
        return new ComposeFile(services);
    }

    Service service(String name) {
        return services.get(name);
    }

    private static String defaulted(String text) {
        return VARIABLE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(found.group(1)));
    }

    private static Map<String, String> texts(Object map) {
        Map<String, String> texts = new TreeMap<>();
        if (map instanceof Map<?, ?> entries) {
            entries.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
        }
        return texts;
    }
}
