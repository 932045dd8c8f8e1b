package io.onbeat.verify.faults;

import io.onbeat.local.Database;
import io.onbeat.local.LocalPostgres;
import io.onbeat.verify.system.OwnServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Optional;

/** Faults of the database. */
final class DatabaseFaults {
    private DatabaseFaults() {}

    static Fault restart(OwnServers servers) {
        LocalPostgres postgres = servers.postgres();
        return Fault.of(postgres::stop, postgres::restart);
    }

    static Fault crash(OwnServers servers) {
        LocalPostgres postgres = servers.postgres();
        return Fault.of(postgres::kill, postgres::restart);
    }

    /** Somebody else holds these rows. The query names them in the order of their ids, as everybody has to. */
    static Fault lock(OwnServers servers, String rows) {
        Database database = servers.database();
        return new Fault() {
            private Optional<Connection> held = Optional.empty();

            @Override
            public void strike() throws Exception {
                Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                held = Optional.of(connection);
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    statement.execute(rows);
                }
            }

            @Override
            public void heal() throws Exception {
                if (held.isPresent()) {
                    held.get().close();
                }
            }
        };
    }
}
