package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The message that docs/tasks.md tells other programs to publish. */
class OutsidePageTest {
    private final WorkerRig rig = new WorkerRig();
    private String section = "";

    @BeforeEach
    void read() throws IOException {
        section = Files.readString(Path.of(System.getProperty("onbeat.root"), "docs/tasks.md"))
                .split("\n## Runs from other programs\n")[1]
                .split("\n## ")[0];
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void isRunWithTheDefaultsThatThePageNames() throws IOException {
        rig.start(
                "w",
                TestTask.of(example("type=\"(.*?)\""), context -> context.args().path("customer")));
        BasicProperties properties = new BasicProperties.Builder()
                .messageId(example("message_id=\"(.*?)\""))
                .type(example("type=\"(.*?)\""))
                .deliveryMode(2)
                .build();

        rig.withChannel(channel -> {
            String queue = example("routing_key=\"(.*?)\"");
            rig.topology.declareTaskQueue(channel.getConnection(), queue);
            byte[] body = example("body='(.*?)'").getBytes(StandardCharsets.UTF_8);
            channel.basicPublish(example("exchange=\"(.*?)\""), queue, properties, body);
            return null;
        });

        rig.awaitState("welcome-mail-4711", "succeeded");
        assertThat(rig.ledger.texts("select origin || ' ' || result from run")).containsExactly("outside 4711");
        assertThat(section).contains("`max_attempts: " + rig.ledger.number("select max_attempts from run") + "`");
        assertThat(section).contains("`timeout: " + rig.ledger.number("select timeout_ms / 60000 from run") + "m`");
        assertThat(
                        rig.ledger.texts(
                                "select string_agg(d, ', ') from run, json_array_elements_text(retry->'delays') with ordinality t(d, n)"))
                .singleElement()
                .satisfies(delays -> assertThat(section).contains("`delays: [" + delays + "]`"));
    }

    private String example(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(section);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }
}
