package io.onbeat.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.task.PermanentFailure;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArgsTest {
    private static final Map<String, String> ENVIRONMENT =
            Map.of("TOKEN", "$ecret\\", "HOST", "db", "ONBEAT_DATABASE_PASSWORD", "hush");

    @Test
    void variablesAreResolvedInTextsHoweverDeep() {
        JsonNode args =
                read("{\"url\":\"http://${env:HOST}/${env:TOKEN}\",\"list\":[{\"a\":\"${env:HOST}\"}],\"n\":1}");

        assertThat(args.path("url").asText()).isEqualTo("http://db/$ecret\\");
        assertThat(args.at("/list/0/a").asText()).isEqualTo("db");
        assertThat(args.path("n").asInt()).isEqualTo(1);
    }

    @Test
    void whatIsResolvedIsNotResolvedAgain() {
        assertThat(Args.read("{\"a\":\"${env:A}\"}", name -> "${env:B}")
                        .path("a")
                        .asText())
                .isEqualTo("${env:B}");
    }

    @Test
    void aVariableThatIsNotSetIsNamed() {
        assertThatThrownBy(() -> read("{\"a\":\"${env:MISSING}\"}"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("MISSING");
        assertThatThrownBy(() -> read("{\"a\":\"${env:}\"}")).isInstanceOf(PermanentFailure.class);
    }

    @Test
    void onbeatsOwnPasswordsAreOutOfReach() {
        assertThatThrownBy(() -> read("{\"a\":\"${env:ONBEAT_DATABASE_PASSWORD}\"}"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("ONBEAT_DATABASE_PASSWORD")
                .hasMessageNotContaining("hush");
    }

    private static JsonNode read(String json) {
        return Args.read(json, ENVIRONMENT::get);
    }
}
