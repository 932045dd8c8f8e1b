package io.onbeat.task.builtin;

import io.onbeat.task.Row;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;

/** Statements for each row, in the transaction that moves its status. */
record RowSql(List<NamedStatement> statements) implements RowStep {

    static RowSql of(Arguments args, TaskContext context) {
        return new RowSql(NamedStatement.list(args, "sql", SqlScript.own(context)));
    }

    @Override
    public Optional<String> unknownColumn(List<String> columns) {
        return statements.stream()
                .flatMap(statement ->
                        statement
                                .missing(columns)
                                .map(name -> "statement " + statement.number() + " uses :" + name)
                                .stream())
                .findFirst();
    }

    @Override
    public void run(Connection connection, Row row) throws Exception {
        new CancellableSql(connection)
                .run(statements.stream()
                        .map(statement -> statement.bound(name -> SqlValue.ofColumn(row.get(name))))
                        .toList());
    }
}
