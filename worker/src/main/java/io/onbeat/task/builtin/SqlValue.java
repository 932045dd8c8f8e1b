package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;

/** A value for a place in a statement. Texts go without a type, so that the database reads them as what stands beside them. */
@FunctionalInterface
interface SqlValue {
    void bind(PreparedStatement statement, int index) throws SQLException;

    /** An argument: lists and maps go as JSON. */
    static SqlValue of(JsonNode value) {
        return (statement, index) -> {
            switch (value.getNodeType()) {
                case NULL -> statement.setNull(index, Types.NULL);
                case BOOLEAN -> statement.setBoolean(index, value.booleanValue());
                case NUMBER -> {
                    if (value.isIntegralNumber() && value.canConvertToLong()) {
                        statement.setLong(index, value.longValue());
                    } else {
                        statement.setBigDecimal(index, new BigDecimal(value.asText()));
                    }
                }
                case STRING -> statement.setObject(index, value.textValue(), Types.OTHER);
                default -> statement.setObject(index, value.toString(), Types.OTHER);
            }
        };
    }

    /** A column's value as the driver gave it, null too: it goes back as it came. */
    static SqlValue ofColumn(Object value) {
        return (statement, index) -> {
            if (value == null) {
                statement.setNull(index, Types.NULL);
            } else if (value instanceof String text) {
                statement.setObject(index, text, Types.OTHER);
            } else {
                statement.setObject(index, value);
            }
        };
    }
}
