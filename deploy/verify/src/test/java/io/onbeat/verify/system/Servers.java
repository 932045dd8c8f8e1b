package io.onbeat.verify.system;

import io.onbeat.local.Database;
import io.onbeat.local.ManagementApi;
import io.onbeat.local.TestServices;
import io.onbeat.local.Vhost;

/** The database and the virtual host that a test class has for itself. */
public interface Servers extends AutoCloseable {
    Database database();

    /** The database as other drivers than Java's have it, with user and password. */
    default String libpqUrl() {
        return database()
                .jdbcUrl()
                .replaceFirst(
                        "^jdbc:postgresql://",
                        "postgresql://" + database().user() + ":" + database().password() + "@")
                .replaceFirst("\\?.*", "");
    }

    Vhost vhost();

    ManagementApi management();

    @Override
    void close();

    /** On the servers that all tests share. */
    static Servers shared() {
        Database database = TestServices.freshDatabase();
        Vhost vhost = TestServices.freshVhost();
        return new Servers() {
            @Override
            public Database database() {
                return database;
            }

            @Override
            public Vhost vhost() {
                return vhost;
            }

            @Override
            public ManagementApi management() {
                return TestServices.management();
            }

            @Override
            public void close() {
                TestServices.deleteVhost(vhost);
                TestServices.dropDatabase(database);
            }
        };
    }
}
