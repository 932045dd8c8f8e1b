package io.onbeat.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.onbeat.message.MessageCodec.Encoded;
import io.onbeat.run.Attempt;
import io.onbeat.run.Origin;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageCodecTest {
    private static final TaskMessage MESSAGE = new TaskMessage(
            new Attempt(4711, "settle-points@2026-07-14T02:00:00Z", 2),
            Origin.SCHEDULE,
            Optional.of("settle-points"),
            "settle-points",
            "default",
            Instant.parse("2026-07-14T02:00:00Z"),
            "{\"batch\":500}",
            Optional.of("00-1-2-01"));

    @Test
    void whatIsWrittenIsRead() {
        Encoded encoded = MessageCodec.encode(MESSAGE);

        assertThat(read(encoded.properties(), text(encoded))).isEqualTo(MESSAGE);
    }

    @Test
    void fieldsAndHeadersThatAreNotKnownAreNoObstacle() {
        Encoded encoded = MessageCodec.encode(MESSAGE);
        Map<String, Object> headers = new HashMap<>(encoded.properties().getHeaders());
        headers.put("tenant", "acme");
        headers.put("x-future", Map.of("a", 1));
        BasicProperties more = encoded.properties().builder().headers(headers).build();
        String body = text(encoded).replaceFirst("\\{", "{\"shard\":{\"of\":[1,2]},\"tenant\":\"acme\",");

        assertThat(read(more, body)).isEqualTo(MESSAGE);
    }

    @Test
    void anOlderVersionOrNoneIsRead() {
        Encoded encoded = MessageCodec.encode(MESSAGE);

        assertThat(read(encoded.properties(), text(encoded).replace("\"version\":1", "\"version\":0")))
                .isEqualTo(MESSAGE);
        assertThat(read(encoded.properties(), text(encoded).replace("\"version\":1,", "")))
                .isEqualTo(MESSAGE);
    }

    @Test
    void aNewerVersionIsLeftToNewerCodeWhateverElseIsInIt() {
        BasicProperties properties = new BasicProperties.Builder()
                .headers(Map.of("origin", "of-a-kind-to-come", "returns", 3))
                .build();

        assertThatExceptionOfType(NewerMessage.class)
                .isThrownBy(() -> read(properties, "{\"version\":2,\"args\":[]}"))
                .withMessageContaining("version 2")
                .withMessageContaining("up to 1")
                .satisfies(newer -> assertThat(newer.returns()).isEqualTo(3));
    }

    private static String text(Encoded encoded) {
        return new String(encoded.body(), StandardCharsets.UTF_8);
    }

    private static TaskMessage read(BasicProperties properties, String body) {
        return MessageCodec.decode(properties, body.getBytes(StandardCharsets.UTF_8), "default")
                .message();
    }
}
