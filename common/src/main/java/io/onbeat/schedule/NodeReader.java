package io.onbeat.schedule;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Turns the tokens of one document into nodes. YAML's aliases share the node of their anchor, so that a small file cannot fill
 * the memory; what they would come to when written out is counted and bounded.
 */
final class NodeReader {
    private static final Pattern JSON_NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final Pattern NO_NUMBER = Pattern.compile("[-+]?\\.?(inf|nan)", Pattern.CASE_INSENSITIVE);
    private static final long MOST_ALIASED = 5_000_000;
    private static final int TEXT_PER_UNIT = 16;
    private static final int LONGEST_SHARED = 40;
    private static final int MOST_SHARED = 1_000;

    private record Anchor(Node node, long size) {}

    private final JsonParser tokens;
    private final Map<String, Anchor> anchors = new HashMap<>();
    private final Map<String, String> keys = new HashMap<>();
    private final Map<String, String> texts = new HashMap<>();
    private long size;
    private long aliased;

    NodeReader(JsonParser tokens) {
        this.tokens = tokens;
    }

    /** The document, or nothing when there is none. */
    Optional<Node> read() throws IOException, MalformedFile {
        if (tokens.nextToken() == null) {
            return Optional.empty();
        }
        Node document = value();
        if (tokens.nextToken() != null) {
            throw malformed("a second document starts here: put all schedules into one, or into another file");
        }
        return Optional.of(document);
    }

    private Node value() throws IOException, MalformedFile {
        if (tokens instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
            return aliased(tokens.getText());
        }
        Object anchor = tokens.getObjectId();
        long before = size++;
        Node node = compose(tokens.currentTokenLocation());
        if (anchor != null) {
            anchors.put(anchor.toString(), new Anchor(node, size - before));
        }
        return node;
    }

    private Node aliased(String name) throws MalformedFile {
        Anchor anchor = anchors.get(name);
        if (anchor == null) {
            throw malformed("alias *" + name + " has no anchor &" + name
                    + " before it; put a cron that starts with '*' in quotes");
        }
        size += anchor.size;
        aliased += anchor.size;
        if (aliased > MOST_ALIASED) {
            throw malformed("the aliases expand to more than " + MOST_ALIASED + " values: write less with them");
        }
        return anchor.node;
    }

    private Node compose(JsonLocation at) throws IOException, MalformedFile {
        int line = at.getLineNr();
        int column = at.getColumnNr();
        JsonToken token = tokens.currentToken();
        return switch (token) {
            case START_OBJECT -> new Node.Fields(fields(), line, column);
            case START_ARRAY -> new Node.Items(items(), line, column);
            case VALUE_STRING -> text(line, column);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Node.Literal(number(token), line, column);
            case VALUE_TRUE -> new Node.Literal("true", line, column);
            case VALUE_FALSE -> new Node.Literal("false", line, column);
            case VALUE_NULL -> new Node.Literal("null", line, column);
            default ->
                throw malformed("a value of this kind is not allowed: use text, numbers, true, false, lists or maps");
        };
    }

    private Node text(int line, int column) throws IOException {
        String text = tokens.getText();
        size += text.length() / TEXT_PER_UNIT;
        return new Node.Text(shared(text), line, column);
    }

    /** Zones, tasks, queues and delays are the same few words again and again. */
    private String shared(String text) {
        if (text.length() > LONGEST_SHARED || texts.size() >= MOST_SHARED && !texts.containsKey(text)) {
            return text;
        }
        return texts.computeIfAbsent(text, same -> same);
    }

    /** The number as it was written, where JSON writes it so too. */
    private String number(JsonToken token) throws IOException, MalformedFile {
        String text = tokens.getText();
        if (JSON_NUMBER.matcher(text).matches()) {
            return text;
        }
        if (NO_NUMBER.matcher(text).matches()) {
            throw malformed(text + " is not allowed: JSON has no infinity and no not-a-number; put it in quotes");
        }
        return token == JsonToken.VALUE_NUMBER_INT
                ? tokens.getBigIntegerValue().toString()
                : tokens.getDecimalValue().toString();
    }

    private List<Node> items() throws IOException, MalformedFile {
        List<Node> items = new ArrayList<>(2);
        while (tokens.nextToken() != JsonToken.END_ARRAY) {
            items.add(value());
        }
        return items;
    }

    private List<Node.Field> fields() throws IOException, MalformedFile {
        List<Node.Field> fields = new ArrayList<>(6);
        List<Node> merged = new ArrayList<>(0);
        while (tokens.nextToken() != JsonToken.END_OBJECT) {
            String key = keys.computeIfAbsent(tokens.currentName(), name -> name);
            JsonLocation at = tokens.currentTokenLocation();
            tokens.nextToken();
            Node value = value();
            if (key.equals("<<") && tokens instanceof YAMLParser) {
                merged.add(value);
            } else {
                fields.add(new Node.Field(key, value, at.getLineNr(), at.getColumnNr()));
            }
        }
        if (!merged.isEmpty()) {
            new Merge(fields).addAll(merged);
        }
        return fields;
    }

    private MalformedFile malformed(String message) {
        JsonLocation at = tokens.currentTokenLocation();
        return new MalformedFile(at.getLineNr(), at.getColumnNr(), message);
    }
}
