package io.onbeat.verify.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FigureReportTest {
    @Test
    void the_object_is_the_first_figure_and_holds_all_of_them() {
        FigureReport report = new FigureReport(
                "recovery",
                List.of(
                        new Figure("worker", "s", List.of(31.0, 28.5, 30.123)),
                        new Figure("beat", "s", List.of(9.0, 10.0))),
                Map.of("cores", "2"));
        assertThat(report.json()).isEqualTo("""
                {"name":"recovery","unit":"s","median":30.12,"min":28.5,"max":31.0,"rounds":[31.0,28.5,30.12],"figures":[\
                {"name":"worker","unit":"s","median":30.12,"min":28.5,"max":31.0,"rounds":[31.0,28.5,30.12]},\
                {"name":"beat","unit":"s","median":9.5,"min":9.0,"max":10.0,"rounds":[9.0,10.0]}],"versions":{"cores":"2"}}""");
    }
}
