package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The statements of a run with the values of their parameters, checked before the first of them reaches a database. */
record SqlScript(String dataSource, List<SqlStatement> statements) {
    static final List<String> KEYS = List.of("data_source", "statements", "params");

    /** Parameters that every statement may use. */
    static final List<String> OWN_PARAMS = List.of("run_key", "schedule", "fire_time", "attempt");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String STATEMENTS = "a list of statements, each a text or a map of sql and params";

    static SqlScript of(TaskContext context) {
        Arguments args = Arguments.of(SqlTask.NAME, context.args(), KEYS);
        JsonNode list = args.required("statements", STATEMENTS);
        if (!list.isArray() || list.isEmpty()) {
            throw args.wrong("statements", STATEMENTS, list);
        }
        Map<String, JsonNode> params = own(context);
        args.value("params").ifPresent(node -> params.putAll(params(args, node)));
        List<SqlStatement> statements = new ArrayList<>();
        for (JsonNode node : list) {
            statements.add(statement(args, node, params, statements.size() + 1));
        }
        return new SqlScript(
                args.text("data_source", "a data source of the worker's configuration")
                        .orElse("ledger"),
                statements);
    }

    List<Map<String, Object>> run(Connection connection) throws Exception {
        return new CancellableSql(connection).run(statements);
    }

    private static SqlStatement statement(Arguments args, JsonNode node, Map<String, JsonNode> shared, int number) {
        Map<String, JsonNode> values = new HashMap<>(shared);
        JsonNode sql = node;
        if (node.isObject()) {
            node.fieldNames().forEachRemaining(key -> {
                if (!key.equals("sql") && !key.equals("params")) {
                    throw args.wrong("statements", STATEMENTS + ", and \"" + key + "\" is neither");
                }
            });
            sql = node.path("sql");
            if (node.hasNonNull("params")) {
                values.putAll(params(args, node.get("params")));
            }
        }
        if (!sql.isTextual() || sql.textValue().isBlank()) {
            throw args.wrong("statements", STATEMENTS, node);
        }
        NamedSql named = NamedSql.parse(sql.textValue());
        named.control().ifPresent(word -> {
            throw args.wrong(
                    "statements",
                    "free of " + word + " (statement " + number
                            + "): all of them are one transaction, which the task ends");
        });
        named.params().stream()
                .filter(name -> !values.containsKey(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new PermanentFailure(SqlTask.NAME + ": statement " + number + " uses :" + name
                            + ", which the argument \"params\" does not hold");
                });
        return new SqlStatement(
                number, named.text(), named.params().stream().map(values::get).toList());
    }

    private static Map<String, JsonNode> params(Arguments args, JsonNode node) {
        if (!node.isObject()) {
            throw args.wrong("params", "a map of names to values", node);
        }
        Map<String, JsonNode> params = new HashMap<>();
        node.properties().forEach(entry -> {
            if (OWN_PARAMS.contains(entry.getKey())) {
                throw args.wrong("params", "free of \"" + entry.getKey() + "\", whose value the run gives");
            }
            params.put(entry.getKey(), entry.getValue());
        });
        return params;
    }

    private static Map<String, JsonNode> own(TaskContext context) {
        ObjectNode own = JSON.createObjectNode()
                .put("run_key", context.runKey())
                .put("fire_time", context.fireTime().toString())
                .put("attempt", context.attempt());
        own.put("schedule", context.schedule().orElse(null));
        Map<String, JsonNode> params = new HashMap<>();
        OWN_PARAMS.forEach(
                name -> params.put(name, own.path(name).isMissingNode() ? NullNode.instance : own.get(name)));
        return params;
    }
}
