package io.onbeat.task.builtin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SQL with {@code :name} parameters, turned into JDBC's form. Texts, quoted names, dollar quotes and comments are left
 * alone, and so are casts ({@code ::}), slices ({@code a[1:n]}) and PostgreSQL's {@code ?} operators.
 *
 * @param params the names in the order of their places
 * @param control the first word of a statement that would end the transaction, where there is one
 */
record NamedSql(String text, List<String> params, Optional<String> control) {

    static NamedSql parse(String sql) {
        return new Parser(sql).parse();
    }

    private static final class Parser {
        private static final Pattern DOLLAR_QUOTE = Pattern.compile("\\$(?:[\\p{L}_][\\p{L}\\d_]*)?\\$");
        private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
        private static final Pattern CONTROL = Pattern.compile(
                "(?i)(?:commit|rollback|abort|begin|end|start\\s+transaction|prepare\\s+transaction)\\b");

        private final String sql;
        private final StringBuilder text = new StringBuilder();
        private final List<String> params = new ArrayList<>();
        private Optional<String> control = Optional.empty();
        private int at;

        Parser(String sql) {
            this.sql = sql;
        }

        NamedSql parse() {
            boolean starts = true;
            while (at < sql.length()) {
                if (starts && control.isEmpty()) {
                    control = controlWord();
                }
                int end = verbatimEnd();
                char c = sql.charAt(at);
                if (end > at) {
                    starts &= c == '-' || c == '/';
                    text.append(sql, at, end);
                    at = end;
                } else if (!parameter()) {
                    starts = c == ';' || starts && Character.isWhitespace(c);
                    text.append(c == '?' ? "??" : c);
                    at++;
                }
            }
            return new NamedSql(text.toString(), List.copyOf(params), control);
        }

        private boolean parameter() {
            if (sql.charAt(at) != ':' || at > 0 && isPartOfName(sql.charAt(at - 1))) {
                return false;
            }
            Matcher name = NAME.matcher(sql).region(at + 1, sql.length());
            if (!name.lookingAt()) {
                return false;
            }
            params.add(name.group());
            text.append('?');
            at = name.end();
            return true;
        }

        /** Where what begins here and is copied as it stands ends; {@code at} where nothing of the kind begins. */
        private int verbatimEnd() {
            if (sql.startsWith("::", at)) {
                return at + 2;
            }
            if (sql.startsWith("--", at)) {
                return after("\n", at);
            }
            if (sql.startsWith("/*", at)) {
                return commentEnd();
            }
            return switch (sql.charAt(at)) {
                case '\'' -> isEscapeText() ? escapeTextEnd() : after("'", at + 1);
                case '"' -> after("\"", at + 1);
                case '$' -> dollarQuoteEnd();
                default -> at;
            };
        }

        private int dollarQuoteEnd() {
            Matcher tag = DOLLAR_QUOTE.matcher(sql).region(at, sql.length());
            boolean opens = tag.lookingAt() && (at == 0 || !isPartOfName(sql.charAt(at - 1)));
            return opens ? after(tag.group(), tag.end()) : at;
        }

        private int commentEnd() {
            int depth = 0;
            int end = at;
            do {
                if (sql.startsWith("/*", end)) {
                    depth++;
                    end += 2;
                } else if (sql.startsWith("*/", end)) {
                    depth--;
                    end += 2;
                } else {
                    end++;
                }
            } while (depth > 0 && end < sql.length());
            return Math.min(end, sql.length());
        }

        private boolean isEscapeText() {
            return at > 0 && "eE".indexOf(sql.charAt(at - 1)) >= 0 && (at == 1 || !isPartOfName(sql.charAt(at - 2)));
        }

        private int escapeTextEnd() {
            int end = at + 1;
            while (end < sql.length() && sql.charAt(end) != '\'') {
                end += sql.charAt(end) == '\\' ? 2 : 1;
            }
            return Math.min(end + 1, sql.length());
        }

        private int after(String mark, int from) {
            int found = sql.indexOf(mark, from);
            return found < 0 ? sql.length() : found + mark.length();
        }

        private Optional<String> controlWord() {
            Matcher word = CONTROL.matcher(sql).region(at, sql.length());
            if (!word.lookingAt()) {
                return Optional.empty();
            }
            String found = word.group().toUpperCase(Locale.ROOT);
            // "end" closes the body of a function too
            boolean body = sql.substring(0, at).toLowerCase(Locale.ROOT).contains("atomic");
            return found.equals("END") && body ? Optional.empty() : Optional.of(found);
        }

        private static boolean isPartOfName(char c) {
            return Character.isLetterOrDigit(c) || c == '_' || c == ')' || c == ']';
        }
    }
}
