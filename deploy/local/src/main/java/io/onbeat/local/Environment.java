package io.onbeat.local;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The variables by which beat, workers and the command line find the services, on top of the caller's own, which stay as
 * they are.
 */
record Environment(Map<String, String> caller, Map<String, String> variables) {
    private static final String TASKS = "ONBEAT_TASKS_DIR";

    static Environment of(Map<String, String> caller, Database database, RabbitServer rabbit, UpOptions options) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("ONBEAT_DATABASE_URL", database.jdbcUrl());
        variables.put("ONBEAT_DATABASE_USER", database.user());
        variables.put("ONBEAT_DATABASE_PASSWORD", database.password());
        variables.put("ONBEAT_AMQP_URL", rabbit.amqpUrl());
        variables.put("ONBEAT_MANAGEMENT_URL", rabbit.managementUrl());
        variables.putAll(withoutOthersSecrets(caller, rabbit));
        variables.put("ONBEAT_SCHEDULES", options.schedules().toString());
        variables.put(TASKS, tasks(caller, options).toString());
        return new Environment(caller, variables);
    }

    /** A user or password that the caller has for other servers would win over those of the servers started here. */
    private static Map<String, String> withoutOthersSecrets(Map<String, String> caller, RabbitServer rabbit) {
        Map<String, String> own = new LinkedHashMap<>();
        if (given(caller, "ONBEAT_DATABASE_URL").isEmpty()) {
            own.put("ONBEAT_DATABASE_PASSWORD_FILE", "");
        }
        if (given(caller, "ONBEAT_AMQP_URL").isEmpty()) {
            own.put("ONBEAT_AMQP_USER", rabbit.user());
            own.put("ONBEAT_AMQP_PASSWORD", rabbit.password());
            own.put("ONBEAT_AMQP_PASSWORD_FILE", "");
        }
        return own;
    }

    private static Path tasks(Map<String, String> caller, UpOptions options) {
        return given(caller, TASKS)
                .map(folder -> Path.of(folder).toAbsolutePath().normalize())
                .orElseGet(() -> options.root().resolve("deploy/examples/tasks/target"));
    }

    private static Optional<String> given(Map<String, String> caller, String name) {
        return Optional.ofNullable(caller.get(name)).filter(value -> !value.isBlank());
    }

    Environment with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(variables);
        more.put(name, value);
        return new Environment(caller, more);
    }

    /** All that a child process gets. */
    Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>(caller);
        all.putAll(variables);
        return all;
    }

    /** As lines that a shell can source. */
    void write(Path file) {
        String text = variables.entrySet().stream()
                .map(entry -> entry.getKey() + "='" + entry.getValue().replace("'", "'\\''") + "'\n")
                .collect(Collectors.joining());
        DataFolder.writePrivately(file, text, "rw-------");
    }
}
