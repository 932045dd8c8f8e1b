package io.onbeat.local;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The variables by which beat, workers and the command line find the services. */
record Environment(Map<String, String> variables) {
    static Environment of(Database database, RabbitServer rabbit, UpOptions options) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("ONBEAT_DATABASE_URL", database.jdbcUrl());
        variables.put("ONBEAT_DATABASE_USER", database.user());
        variables.put("ONBEAT_DATABASE_PASSWORD", database.password());
        variables.put("ONBEAT_AMQP_URL", rabbit.amqpUrl());
        variables.put("ONBEAT_MANAGEMENT_URL", rabbit.managementUrl());
        variables.put("ONBEAT_SCHEDULES", options.schedules().toString());
        variables.put(
                "ONBEAT_TASKS_DIR",
                options.root().resolve("deploy/examples/tasks/target").toString());
        return new Environment(variables);
    }

    Environment with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(variables);
        more.put(name, value);
        return new Environment(more);
    }

    /** On top of what this process has. */
    Map<String, String> inherited() {
        Map<String, String> all = new LinkedHashMap<>(System.getenv());
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
