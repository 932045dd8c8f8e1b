package io.onbeat.verify.tasks;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;

/** Writes down how many of its kind are at work as it begins: each holds a lock that the database takes back when it is killed. */
public final class Crowd implements Task {
    record Args(int millis) {}

    @Override
    public String name() {
        return "crowd";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        try (Connection connection = context.dataSource("ledger").getConnection();
                Statement lock = connection.createStatement();
                PreparedStatement look = connection.prepareStatement("""
                        insert into verify.crowd (run_key, attempt, at_work)
                        select ?, ?, count(*) from pg_locks where locktype = 'advisory' and classid = 4711 and granted
                             and database = (select oid from pg_database where datname = current_database())""")) {
            lock.execute("select pg_advisory_lock_shared(4711, 1)");
            try {
                look.setString(1, context.runKey());
                look.setInt(2, context.attempt());
                look.executeUpdate();
                Work.take(connection, context.args(Args.class).millis());
            } finally {
                lock.execute("select pg_advisory_unlock_shared(4711, 1)");
            }
        }
        return null;
    }
}
