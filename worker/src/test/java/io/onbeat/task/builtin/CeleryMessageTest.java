package io.onbeat.task.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onbeat.task.PermanentFailure;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CeleryMessageTest {
    private static final Instant NOW = Instant.parse("2026-07-14T18:00:01.999Z");

    private static CeleryMessage message(String args) {
        return CeleryMessage.of(Nightly.context(args), "onbeat", NOW);
    }

    @Test
    void isOfProtocol2() {
        CeleryMessage message = message("""
                {"task": "shop.settle", "args": [9007199254740993, null, ""], "kwargs": {"note": "Åse 😀"}, "expires": "1h"}""");
        assertThat(message.exchange()).isEmpty();
        assertThat(message.routingKey()).isEqualTo("celery");
        assertThat(new String(message.body(), StandardCharsets.UTF_8))
                .isEqualTo("[[9007199254740993,null,\"\"],{\"note\":\"Åse 😀\"},"
                        + "{\"callbacks\":null,\"errbacks\":null,\"chain\":null,\"chord\":null}]");
        assertThat(message.properties().getContentType()).isEqualTo("application/json");
        assertThat(message.properties().getContentEncoding()).isEqualTo("utf-8");
        assertThat(message.properties().getCorrelationId())
                .isEqualTo(message.id().toString());
        assertThat(message.properties().getHeaders())
                .containsAllEntriesOf(Map.of(
                        "lang", "py",
                        "task", "shop.settle",
                        "id", message.id().toString(),
                        "root_id", message.id().toString(),
                        "retries", 0,
                        "expires", "2026-07-14T19:00:01+00:00",
                        "argsrepr", "[9007199254740993,null,\"\"]",
                        "onbeat_run_key", "nightly@2026-07-14T18:00:00Z",
                        "onbeat_attempt", 2))
                .containsEntry("eta", null)
                .containsEntry("group", null)
                .containsEntry("parent_id", null);
    }

    @Test
    void hasTheIdThatPythonMakesOfTheRunKey() {
        assertThat(message("{\"task\": \"a\"}").id()).hasToString("6a4dd631-3d04-5ad2-a85d-ed80d001d591");
        assertThat(CeleryMessage.of(Nightly.context("{\"task\": \"a\"}"), "other", NOW)
                        .id())
                .isNotEqualTo(message("{\"task\": \"a\"}").id());
    }

    @Test
    void goesWhereTheArgumentsSay() {
        CeleryMessage message = message(
                "{\"task\": \"a\", \"args\": null, \"kwargs\": null, \"exchange\": \"x\", \"queue\": \"q\", \"vhost\": \"v\"}");
        assertThat(message.exchange()).isEqualTo("x");
        assertThat(message.routingKey()).isEqualTo("q");
        assertThat(message.virtualHost()).contains("v");
        assertThat(new String(message.body(), StandardCharsets.UTF_8)).startsWith("[[],{},{");
        assertThat(message.properties().getHeaders()).containsEntry("expires", null);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                 | "task" is missing; it must be the name of a Celery task, such as shop.tasks.settle
            {"task": ""}                       | "task" must be the name of a Celery task, such as shop.tasks.settle, not ""
            {"task": "a", "args": {}}          | "args" must be a list, not {}
            {"task": "a", "kwargs": []}        | "kwargs" must be a map, not []
            {"task": "a", "expires": "soon"}   | "expires": "soon" is not a duration
            {"task": "a", "eta": "tomorrow"}   | unknown argument "eta"
            """)
    void namesTheWrongArgument(String args, String expected) {
        assertThatThrownBy(() -> message(args))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageStartingWith("celery: ")
                .hasMessageContaining(expected);
    }
}
