package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GivenServicesTest {
    @Test
    void theDatabaseOfTheEnvironmentIsUsedAndNeverStopped() {
        PostgresServer server = GivenPostgres.from(Map.of(
                        "ONBEAT_DATABASE_URL", "jdbc:postgresql://db.internal:6000/ledger?ssl=true",
                        "ONBEAT_DATABASE_USER", "me",
                        "ONBEAT_DATABASE_PASSWORD", "secret"))
                .orElseThrow();
        assertThat(server.jdbcUrl("other")).isEqualTo("jdbc:postgresql://db.internal:6000/other?ssl=true");
        assertThat(server.port()).isEqualTo(6000);
        assertThatThrownBy(server::kill)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("ONBEAT_DATABASE_URL");
        server.close();
    }

    @Test
    void theBrokerOfTheEnvironmentIsUsedAndNeverStopped() {
        RabbitServer server = GivenRabbit.from(Map.of("ONBEAT_AMQP_URL", "amqp://me:p%40ss@broker:5673/prod"))
                .orElseThrow();
        assertThat(server.password()).isEqualTo("p@ss");
        assertThat(server.amqpUrl("/")).isEqualTo("amqp://me:p%40ss@broker:5673/%2F");
        assertThat(server.managementUrl()).isEqualTo("http://broker:15672");
        assertThatThrownBy(server::stop).hasMessageContaining("ONBEAT_AMQP_URL");
    }

    @Test
    void aWrongUrlIsQuoted() {
        assertThatThrownBy(() -> GivenPostgres.from(Map.of("ONBEAT_DATABASE_URL", "postgres://x")))
                .hasMessageContaining("postgres://x")
                .hasMessageContaining("jdbc:postgresql://HOST:PORT/DATABASE");
        assertThatThrownBy(() -> GivenRabbit.from(Map.of("ONBEAT_AMQP_URL", "http://x")))
                .hasMessageContaining("amqp://USER:PASSWORD@HOST:PORT/VHOST");
    }
}
