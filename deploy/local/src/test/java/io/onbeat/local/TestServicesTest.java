package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TestServicesTest {
    @Test
    void eachDatabaseIsNewAndEmpty() throws Exception {
        Database first = TestServices.freshDatabase();
        Database second = TestServices.freshDatabase();
        assertThat(first.jdbcUrl()).isNotEqualTo(second.jdbcUrl());
        try (var connection = DriverManager.getConnection(first.jdbcUrl(), first.user(), first.password());
                var statement = connection.createStatement()) {
            statement.execute("create table t (n int)");
        }
        try (var connection = DriverManager.getConnection(second.jdbcUrl(), second.user(), second.password());
                var tables = connection.getMetaData().getTables(null, "public", "%", null)) {
            assertThat(tables.next()).isFalse();
        }
        TestServices.dropDatabase(first);
        assertThatThrownBy(() -> DriverManager.getConnection(first.jdbcUrl(), first.user(), first.password()))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("does not exist");
    }

    @Test
    void eachVhostIsNewAndGoesWhenDeleted() throws Exception {
        Vhost vhost = TestServices.freshVhost();
        assertThat(vhost.name()).isNotEqualTo(TestServices.freshVhost().name());
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(vhost.amqpUrl());
        try (Connection connection = factory.newConnection()) {
            connection.createChannel().queueDeclare("own", true, false, false, null);
            assertThat(TestServices.management().get("/api/queues/" + vhost.name() + "/own"))
                    .contains("\"name\":\"own\"");
        }
        TestServices.deleteVhost(vhost);
        TestServices.deleteVhost(vhost);
        assertThatThrownBy(() -> TestServices.management().get("/api/vhosts/" + vhost.name()))
                .isInstanceOf(ServiceFailure.class)
                .hasMessageContaining("404");
    }
}
