package io.onbeat.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SecretsTest {
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "TOKEN", "tok3n", "LONG", "tok3n-and-more", "SHORT", "abc", "PIN", "1234", "QUOTED", "a\"b\\c", "KEY", """
            -- begin --
            c2VjcmV0
            """);

    private final Secrets secrets = new Secrets();

    @BeforeEach
    void lookUp() {
        ENVIRONMENT.keySet().forEach(secrets.keeping(ENVIRONMENT::get)::apply);
    }

    @Test
    void everyValueOfFourCharactersOrMoreIsMasked() {
        assertThat(secrets.mask("with tok3n and tok3n-and-more at 12345: abc"))
                .isEqualTo("with *** and *** at ***5: abc");
        assertThat(secrets.mask("args {\"x\":\"a\\\"b\\\\c\"}")).isEqualTo("args {\"x\":\"***\"}");
        assertThat(secrets.mask("line c2VjcmV0 of a key")).isEqualTo("line *** of a key");
    }

    @Test
    void whatWasNeverLookedUpIsNoSecret() {
        assertThat(new Secrets().isEmpty()).isTrue();
        assertThat(new Secrets().mask("tok3n")).isEqualTo("tok3n");
    }

    @Test
    void aResultStaysTheSameJsonButForItsTexts() throws JsonProcessingException {
        Object result = Map.of(
                "header tok3n",
                List.of("Bearer tok3n", "a\"b\\c", "\"quoted\" é \u0001", true, 12345, Map.of()),
                "amount",
                new BigDecimal("12345678901234567890.1000000000000000000001"));

        String json = Results.json(result, secrets).orElseThrow();

        JsonNode expected =
                TaskJson.MAPPER.readTree("[\"Bearer ***\", \"***\", \"\\\"quoted\\\" é \\u0001\", true, 12345, {}]");
        assertThat(TaskJson.MAPPER.readTree(json).path("header ***")).isEqualTo(expected);
        assertThat(json).contains("\"amount\":12345678901234567890.1000000000000000000001");
    }
}
