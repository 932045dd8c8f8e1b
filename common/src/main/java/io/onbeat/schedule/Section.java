package io.onbeat.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A map of settings. Whatever is wrong with a key or its value is reported where it stands, and the value is taken for absent. */
final class Section {
    private final Map<String, Node.Field> fields = new HashMap<>();
    private final Report report;

    Section(Node.Fields map, Report report, Set<String> known) {
        this.report = report;
        for (Node.Field field : map.fields()) {
            if (!known.contains(field.key())) {
                report.add(field.line(), field.column(), unknown(field.key(), known));
            } else if (fields.containsKey(field.key())) {
                report.add(field.line(), field.column(), duplicate(field, fields.get(field.key())));
            } else {
                fields.put(field.key(), field);
            }
        }
    }

    private static String unknown(String key, Set<String> known) {
        return "unknown key \"" + Quoted.oneLine(key) + "\""
                + Nearest.to(key, known)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse("; known are "
                                + String.join(", ", known.stream().sorted().toList()));
    }

    static String duplicate(Node.Field field, Node.Field first) {
        return "duplicate key \"" + Quoted.oneLine(field.key()) + "\": it is given in line " + first.line()
                + " already";
    }

    Report report() {
        return report;
    }

    boolean has(String key) {
        return fields.containsKey(key);
    }

    Optional<Node.Field> field(String key) {
        return Optional.ofNullable(fields.get(key));
    }

    <T> Optional<T> read(String key, Function<Node, T> reader) {
        Node.Field field = fields.get(key);
        if (field == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(reader.apply(field.value()));
        } catch (InvalidSchedule e) {
            report.add(field.value(), key + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    Optional<String> text(String key) {
        return read(key, Section::asText);
    }

    <T> Optional<T> parsed(String key, Function<String, T> parser) {
        return read(key, node -> parser.apply(asText(node)));
    }

    Optional<Duration> duration(String key) {
        return read(key, Section::asDuration);
    }

    Optional<Instant> instant(String key) {
        return parsed(key, Instants::parseSecond);
    }

    <E extends Enum<E>> Optional<E> word(String key, Class<E> type) {
        return parsed(key, text -> asWord(text, type));
    }

    Optional<Boolean> flag(String key) {
        return read(key, node -> {
            String shown = node.shown();
            if (node instanceof Node.Literal && (shown.equals("true") || shown.equals("false"))) {
                return shown.equals("true");
            }
            throw new InvalidSchedule(shown + " is not true or false");
        });
    }

    Optional<Integer> whole(String key) {
        return read(key, node -> {
            if (node instanceof Node.Literal literal && literal.json().matches("-?[0-9]{1,9}")) {
                return Integer.valueOf(literal.json());
            }
            throw new InvalidSchedule(node.shown() + " is not a whole number of at most 9 digits");
        });
    }

    Optional<Double> number(String key) {
        return read(key, node -> {
            if (node instanceof Node.Literal literal && literal.json().matches("-?[0-9].*")) {
                return Double.valueOf(literal.json());
            }
            throw new InvalidSchedule(node.shown() + " is not a number");
        });
    }

    /** A list of values, each reported where it stands; absent when one of them is wrong. */
    <T> Optional<List<T>> list(String key, Function<Node, T> reader) {
        Node.Field field = fields.get(key);
        if (field == null) {
            return Optional.empty();
        }
        if (!(field.value() instanceof Node.Items items)) {
            report.add(field.value(), key + ": " + field.value().shown() + " is not a list: write [a, b]");
            return Optional.empty();
        }
        return each(key, items.values(), reader);
    }

    <T> Optional<List<T>> each(String key, List<Node> nodes, Function<Node, T> reader) {
        List<T> values = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            try {
                values.add(reader.apply(node));
            } catch (InvalidSchedule e) {
                report.add(node, key + ": " + e.getMessage());
            }
        }
        return values.size() == nodes.size() ? Optional.of(values) : Optional.empty();
    }

    static String asText(Node node) {
        if (node instanceof Node.Text text) {
            return text.value();
        }
        throw new InvalidSchedule(node.shown() + " is not text"
                + (node instanceof Node.Literal ? ": give a text, in quotes where it looks like a number" : ""));
    }

    static Duration asDuration(Node node) {
        if (node instanceof Node.Literal literal && literal.json().matches("[0-9]+")) {
            throw new InvalidSchedule(literal.json() + " has no unit: write " + literal.json() + "s for seconds");
        }
        return Durations.parse(asText(node));
    }

    static Duration asPositive(Node node) {
        Duration duration = asDuration(node);
        if (duration.isZero()) {
            throw new InvalidSchedule(node.shown() + " is not allowed: give at least 1ms");
        }
        return duration;
    }

    private static <E extends Enum<E>> E asWord(String text, Class<E> type) {
        List<String> words = Words.all(type);
        int index = words.indexOf(text);
        if (index < 0) {
            throw new InvalidSchedule("\"" + Quoted.oneLine(text) + "\" is not one of " + String.join(", ", words)
                    + Nearest.hint(text, words));
        }
        return type.getEnumConstants()[index];
    }
}
