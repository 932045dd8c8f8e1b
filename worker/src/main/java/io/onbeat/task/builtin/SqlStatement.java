package io.onbeat.task.builtin;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One statement with its values in place; {@code number} counts from 1, for errors. */
record SqlStatement(int number, String text, List<SqlValue> values) {
    private static final int LONGEST_TEXT = 1000;

    void bind(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            values.get(i).bind(statement, i + 1);
        }
    }

    /** One entry per statement: {@code rows} touched or returned, and the {@code first} that was returned. */
    List<Map<String, Object>> execute(PreparedStatement statement) throws SQLException {
        List<Map<String, Object>> results = new ArrayList<>();
        for (boolean rows = statement.execute(); ; rows = statement.getMoreResults()) {
            if (rows) {
                try (ResultSet set = statement.getResultSet()) {
                    results.add(read(set));
                }
            } else {
                long count = statement.getLargeUpdateCount();
                if (count < 0) {
                    return results;
                }
                results.add(Map.of("rows", count));
            }
        }
    }

    private static Map<String, Object> read(ResultSet set) throws SQLException {
        Map<String, Object> result = new LinkedHashMap<>();
        long rows = 0;
        Map<String, Object> first = new LinkedHashMap<>();
        while (set.next()) {
            if (rows++ == 0) {
                ResultSetMetaData columns = set.getMetaData();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    first.put(columns.getColumnLabel(i), value(set, i));
                }
            }
        }
        result.put("rows", rows);
        if (rows > 0) {
            result.put("first", first);
        }
        return result;
    }

    private static Object value(ResultSet set, int column) throws SQLException {
        Object value = set.getObject(column);
        if (value instanceof Double number && !Double.isFinite(number)
                || value instanceof Float single && !Float.isFinite(single)) {
            return value.toString();
        }
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return value;
        }
        return Excerpt.first(set.getString(column), LONGEST_TEXT);
    }
}
