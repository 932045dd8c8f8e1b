package io.onbeat.beat.cli;

import io.onbeat.schedule.ScheduleSchema;
import picocli.CommandLine.Command;

@Command(
        name = "schema",
        description = {
            "Print the JSON Schema of schedule files, for editors: they complete keys and mark mistakes with it.",
            "A file names it in its first line: # yaml-language-server: $$schema=schedule.schema.json"
        },
        footer = {"", "Example:", "  onbeat schema"})
final class SchemaCommand extends CliCommand {
    @Override
    void run(Output output) {
        String schema = ScheduleSchema.json();
        schema.lines().forEach(output::line);
        output.json(json -> json.writeRawValue(schema.strip()));
    }
}
