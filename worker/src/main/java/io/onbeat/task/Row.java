package io.onbeat.task;

import java.util.Map;
import java.util.NoSuchElementException;

/**
 * A row that was claimed.
 *
 * @param key its key, as text
 * @param columns all its columns by name, as JDBC gives them; null where the column is null
 */
public record Row(String key, Map<String, Object> columns) {

    /** @throws NoSuchElementException when the table has no such column */
    public Object get(String column) {
        if (!columns.containsKey(column)) {
            throw new NoSuchElementException("no column '" + column + "'; there are " + columns.keySet());
        }
        return columns.get(column);
    }

    public String text(String column) {
        return String.valueOf(get(column));
    }
}
