package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.schedule.ScheduleSchema;
import org.junit.jupiter.api.Test;

class SchemaCommandTest {
    @Test
    void the_schema_is_printed_and_nothing_else() {
        assertThat(Cli.onbeat("schema")).isEqualTo(new Cli(0, ScheduleSchema.json(), ""));
        assertThat(Cli.onbeat("schema", "--json")).isEqualTo(Cli.onbeat("schema"));
    }

    @Test
    void its_help_shows_the_line_that_names_it() {
        assertThat(Cli.onbeat("schema", "--help").out())
                .contains("# yaml-language-server: $schema=schedule.schema.json");
    }
}
