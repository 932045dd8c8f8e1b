package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs as whoever runs the tests: as root too, where PostgreSQL by itself would refuse. */
class LocalPostgresTest {
    @TempDir
    Path folder;

    @Test
    void goesOnFromTheSameDataAfterStopKillAndClose() throws Exception {
        int port;
        try (LocalPostgres server = LocalPostgres.startOwn(folder, PostgresOptions.durable())) {
            port = server.port();
            execute(server, "create table kept as select 1 as n");
            server.stop();
            assertThat(Ports.isFree(port)).isTrue();
            server.restart();
            execute(server, "insert into kept values (2)");
            server.kill();
            assertThat(Ports.isFree(port)).isTrue();
            server.restart();
            assertThat(server.port()).isEqualTo(port);
            assertThat(single(server, "select sum(n) from kept")).isEqualTo("3");
        }
        try (LocalPostgres again = LocalPostgres.startOwn(folder, PostgresOptions.durable())) {
            assertThat(again.port()).isEqualTo(port);
            assertThat(single(again, "select sum(n) from kept")).isEqualTo("3");
        }
    }

    @Test
    void keepsOthersOut() throws Exception {
        try (LocalPostgres server = LocalPostgres.startOwn(folder, PostgresOptions.durable())) {
            assertThat(single(server, "show fsync")).isEqualTo("on");
            assertThat(single(server, "show listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(Files.getPosixFilePermissions(folder.resolve("password")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl("postgres"), server.user(), "wrong"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aFolderInUseIsRefusedAndNotHarmed() throws Exception {
        try (LocalPostgres server = LocalPostgres.startOwn(folder, PostgresOptions.fast())) {
            assertThatThrownBy(() -> LocalPostgres.startOwn(folder, PostgresOptions.fast()))
                    .isInstanceOf(FolderInUse.class)
                    .hasMessageContaining(folder.toRealPath().toString())
                    .hasMessageContaining("in use by this process");
            assertThat(single(server, "select 1")).isEqualTo("1");
        }
        LocalPostgres.startOwn(folder, PostgresOptions.fast()).close();
    }

    @Test
    void aTakenPortIsPassedOver() throws Exception {
        LocalPostgres.startOwn(folder, PostgresOptions.fast()).close();
        int known = new Ports(folder.resolve("ports")).pick("postgres", Optional.empty());
        try (ServerSocket taken = new ServerSocket(known, 1, InetAddress.getByName("127.0.0.1"));
                LocalPostgres server = LocalPostgres.startOwn(folder, PostgresOptions.fast())) {
            assertThat(server.port()).isNotEqualTo(taken.getLocalPort());
            assertThat(single(server, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void aStalePidOfAStrangerDoesNotHinder() throws Exception {
        LocalPostgres server = LocalPostgres.startOwn(folder, PostgresOptions.fast());
        Path pidFile = folder.resolve("data/postmaster.pid");
        String stale = Files.readString(pidFile)
                .replaceFirst("\\d+", Long.toString(ProcessHandle.current().pid()));
        server.discard();
        Files.writeString(pidFile, stale);
        LocalPostgres.startOwn(folder, PostgresOptions.fast()).close();
    }

    private static void execute(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String single(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static Connection connect(PostgresServer server) throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl("postgres"), server.user(), server.password());
    }
}
