package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One statement of an argument, as it was read.
 *
 * @param number counts from 1, for errors
 * @param names of the parameters, in the order of their places
 * @param given values by name
 */
record NamedStatement(int number, String text, List<String> names, Map<String, JsonNode> given) {
    private static final String STATEMENTS = "a list of statements, each a text or a map of sql and params";

    /** @param shared values that each of them may use */
    static List<NamedStatement> list(Arguments args, String key, Map<String, JsonNode> shared) {
        JsonNode list = args.required(key, STATEMENTS);
        if (!list.isArray() || list.isEmpty()) {
            throw args.wrong(key, STATEMENTS, list);
        }
        List<NamedStatement> statements = new ArrayList<>();
        for (JsonNode node : list) {
            statements.add(read(args, key, node, shared, statements.size() + 1));
        }
        return statements;
    }

    /** The first parameter that nothing gives a value. */
    Optional<String> missing(List<String> others) {
        return names.stream()
                .filter(name -> !given.containsKey(name) && !others.contains(name))
                .findFirst();
    }

    /** @param others the values of the names that are not given */
    SqlStatement bound(Function<String, SqlValue> others) {
        return new SqlStatement(
                number,
                text,
                names.stream()
                        .map(name -> given.containsKey(name) ? SqlValue.of(given.get(name)) : others.apply(name))
                        .toList());
    }

    /** Values for the names of parameters, which may not be those that every run gives. */
    static Map<String, JsonNode> params(Arguments args, JsonNode node) {
        if (!node.isObject()) {
            throw args.wrong("params", "a map of names to values", node);
        }
        Map<String, JsonNode> params = new HashMap<>();
        node.properties().forEach(entry -> {
            if (SqlScript.OWN_PARAMS.contains(entry.getKey())) {
                throw args.wrong("params", "free of \"" + entry.getKey() + "\", whose value the run gives");
            }
            params.put(entry.getKey(), entry.getValue());
        });
        return params;
    }

    private static NamedStatement read(
            Arguments args, String key, JsonNode node, Map<String, JsonNode> shared, int number) {
        Map<String, JsonNode> values = new HashMap<>(shared);
        JsonNode sql = node;
        if (node.isObject()) {
            node.fieldNames().forEachRemaining(name -> {
                if (!name.equals("sql") && !name.equals("params")) {
                    throw args.wrong(key, STATEMENTS + ", and \"" + name + "\" is neither");
                }
            });
            sql = node.path("sql");
            if (node.hasNonNull("params")) {
                values.putAll(params(args, node.get("params")));
            }
        }
        if (!sql.isTextual() || sql.textValue().isBlank()) {
            throw args.wrong(key, STATEMENTS, node);
        }
        NamedSql named = NamedSql.parse(sql.textValue());
        named.control().ifPresent(word -> {
            throw args.wrong(
                    key,
                    "free of " + word + " (statement " + number
                            + "): all of them are one transaction, which the task ends");
        });
        return new NamedStatement(number, named.text(), named.params(), values);
    }
}
