package io.onbeat.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.UUID;

/** Plain JDBC with the parameters bound by their Java type: instants, arrays for {@code unnest}, and nulls. */
public final class Sql {
    private Sql() {}

    /** Reads one row. */
    @FunctionalInterface
    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    public static <T> List<T> list(Connection connection, String sql, RowReader<T> reader, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            List<T> rows = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    rows.add(reader.read(row));
                }
            }
            return rows;
        }
    }

    public static <T> Optional<T> first(Connection connection, String sql, RowReader<T> reader, Object... parameters)
            throws SQLException {
        List<T> rows = list(connection, sql, reader, parameters);
        return rows.isEmpty() ? Optional.empty() : Optional.of(rows.get(0));
    }

    public static <T> T one(Connection connection, String sql, RowReader<T> reader, Object... parameters)
            throws SQLException {
        return first(connection, sql, reader, parameters).orElseThrow(() -> new NoSuchElementException(sql));
    }

    /** @return how many rows the statement changed */
    public static int update(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            return statement.executeUpdate();
        }
    }

    public static Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }

    public static Optional<Instant> optionalInstant(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(instant(row, column));
    }

    public static Optional<String> optionalText(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getString(column));
    }

    static void bind(PreparedStatement statement, Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            bindOne(statement, i + 1, parameters[i]);
        }
    }

    private static void bindOne(PreparedStatement statement, int index, Object value) throws SQLException {
        if (value == null) {
            statement.setNull(index, Types.NULL);
        } else if (value instanceof Instant instant) {
            statement.setObject(index, instant.atOffset(ZoneOffset.UTC));
        } else if (value instanceof Array array) {
            statement.setArray(index, statement.getConnection().createArrayOf(array.type(), array.values()));
        } else {
            statement.setObject(index, value);
        }
    }

    /** A PostgreSQL array parameter; the elements may be null. The driver sends arrays of its own types in binary. */
    public record Array(String type, Object[] values) {}

    public static Array longs(Collection<Long> values) {
        return new Array("int8", values.toArray(Long[]::new));
    }

    public static Array ints(Collection<Integer> values) {
        return new Array("int4", values.toArray(Integer[]::new));
    }

    public static Array texts(Collection<String> values) {
        return new Array("text", values.toArray(String[]::new));
    }

    public static Array uuids(Collection<UUID> values) {
        return new Array("uuid", values.toArray());
    }

    /** As ISO text: the driver would write a Timestamp in the process's zone, and leave the zone out. */
    public static Array instants(Collection<Instant> values) {
        return new Array(
                "timestamptz",
                values.stream().map(v -> v == null ? null : v.toString()).toArray(String[]::new));
    }

    public static Array booleans(Collection<Boolean> values) {
        return new Array("bool", values.toArray(Boolean[]::new));
    }
}
