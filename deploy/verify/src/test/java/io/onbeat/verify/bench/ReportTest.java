package io.onbeat.verify.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    @Test
    void the_object_has_each_peer_with_its_spread_and_the_ratio_to_it() {
        assertThat(report(List.of(new PeerFigure("Quartz", List.of(200.0, 240.04, 250.0), "2.5.2")))
                        .json())
                .isEqualTo("""
                {"name":"throughput","unit":"runs/s","median":12000.0,"min":11000.0,"max":13000.0,\
                "rounds":[12000.0,13000.0,11000.0],"reference":"raw RabbitMQ","reference_median":20000.0,"ratio":0.6,\
                "peers":[{"name":"Quartz","median":240.0,"min":200.0,"max":250.0,"ratio":49.992,"version":"2.5.2"}],\
                "versions":{"cores":"2"}}""");
    }

    @Test
    void without_peers_the_object_does_not_speak_of_them() {
        assertThat(report(List.of()).json()).doesNotContain("peers");
    }

    @Test
    void the_table_has_a_line_for_each_peer_and_names_those_left_out() {
        StringWriter table = new StringWriter();
        report(List.of(new PeerFigure("Quartz", List.of(240.0), "2.5.2"))).print(new PrintWriter(table), false);
        assertThat(table.toString())
                .containsPattern("Quartz 2.5.2 +240 +240 +240\n +ratio to it +50.00\n")
                .contains("left out: Celery, since there is no Debian");
    }

    private static Report report(List<PeerFigure> peers) {
        return new Report(
                new Measurement(
                        "throughput",
                        "runs/s",
                        List.of(12_000.0, 13_000.0, 11_000.0),
                        "raw RabbitMQ",
                        List.of(20_000.0),
                        List.of("left out: Celery, since there is no Debian"),
                        peers),
                Map.of("cores", "2"));
    }
}
