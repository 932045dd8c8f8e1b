package io.onbeat.schedule;

import java.util.List;

/** A value of a file with the place where it stands; lines and columns count from 1. */
sealed interface Node {
    int line();

    int column();

    /** How the value is named in a message. */
    String shown();

    record Text(String value, int line, int column) implements Node {
        @Override
        public String shown() {
            return "\"" + Quoted.oneLine(value) + "\"";
        }
    }

    /** A number, true, false or null, as JSON text. */
    record Literal(String json, int line, int column) implements Node {
        @Override
        public String shown() {
            return json.equals("null") ? "an empty value" : json;
        }
    }

    record Items(List<Node> values, int line, int column) implements Node {
        @Override
        public String shown() {
            return "a list";
        }
    }

    record Fields(List<Field> fields, int line, int column) implements Node {
        @Override
        public String shown() {
            return "a map";
        }
    }

    record Field(String key, Node value, int line, int column) {}
}
