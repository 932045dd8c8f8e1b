package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The statements of a run with the values of their parameters, checked before the first of them reaches a database. */
record SqlScript(String dataSource, List<SqlStatement> statements) {
    static final List<String> KEYS = List.of("data_source", "statements", "params");

    /** Parameters that every statement may use. */
    static final List<String> OWN_PARAMS = List.of("run_key", "schedule", "fire_time", "attempt");

    private static final ObjectMapper JSON = new ObjectMapper();

    static SqlScript of(TaskContext context) {
        Arguments args = Arguments.of(SqlTask.NAME, context.args(), KEYS);
        Map<String, JsonNode> params = own(context);
        args.value("params").ifPresent(node -> params.putAll(NamedStatement.params(args, node)));
        List<NamedStatement> statements = NamedStatement.list(args, "statements", params);
        for (NamedStatement statement : statements) {
            statement.missing(List.of()).ifPresent(name -> {
                throw new PermanentFailure(SqlTask.NAME + ": statement " + statement.number() + " uses :" + name
                        + ", which the argument \"params\" does not hold");
            });
        }
        return new SqlScript(
                args.text("data_source", Arguments.DATA_SOURCE).orElse("ledger"),
                statements.stream()
                        .map(statement -> statement.bound(name -> {
                            throw new IllegalStateException("no value for " + name);
                        }))
                        .toList());
    }

    List<Map<String, Object>> run(Connection connection) throws Exception {
        return new CancellableSql(connection).run(statements);
    }

    /** The values of {@link #OWN_PARAMS}. */
    static Map<String, JsonNode> own(TaskContext context) {
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
