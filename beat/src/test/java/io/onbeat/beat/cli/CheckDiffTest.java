package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckDiffTest {
    private static final String IN_FORCE = """
            calendars: {holidays: [2027-01-01]}
            schedules:
              a-kept: {every: 1h, task: noop}
              b-args: {every: 1h, task: noop, args: {n: 1}, except: holidays}
              c-rule: {every: 1h, task: noop}
              d-gone: {cron: "0 2 * * *", task: noop}
              e-old-name: {every: 1h, task: noop}
              f-off: {every: 1h, task: noop}
              g-paused: {every: 1h, task: noop}
              h-removed: {every: 1h, task: noop}
            """;

    private static final String EDITED = """
            calendars: {holidays: [2026-07-14, 2027-01-01]}
            schedules:
              a-kept: {every: 60m, task: noop, timeout: 5m}
              b-args: {every: 1h, task: noop, args: {n: 1.0}, except: holidays, retry: {max_attempts: 1}}
              c-rule: {cron: "30 * * * *", task: noop, timezone: Asia/Shanghai}
              e-new-name: {every: 1h, task: noop, was: e-old-name}
              f-off: {every: 1h, task: noop, enabled: false}
              g-paused: {every: 1h, task: http}
              h-removed: {every: 1h, task: noop}
              i-new: {at: "2026-12-24T18:00:00Z", task: noop, was: nobody}
            """;

    private final CliSystem system = new CliSystem(CliSystem.NOBODY);

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        system.close();
    }

    @Test
    void limits_of_tasks_that_would_change_are_shown() throws IOException {
        system.ledger().execute("insert into task_limit values ('kept', 1), ('raised', 2), ('gone', 3)");
        String yaml = "tasks: {kept: {max_concurrency: 1}, raised: {max_concurrency: 4}, new: {max_concurrency: 5}}";
        assertThat(system.onbeat("check", "--diff", file(yaml)).out()).isEqualTo("""
                task gone: max_concurrency 3 → none
                task new: max_concurrency none → 5
                task raised: max_concurrency 2 → 4
                0 added, 0 removed, 0 changed, 0 unchanged
                """);
        assertThat(system.onbeat("check", "--diff", "--json", file(yaml)).out())
                .contains("\"limits\":[{\"task\":\"gone\",\"before\":3,\"after\":null},");
    }

    @Test
    void what_a_file_would_change_is_shown() throws IOException {
        inForce();
        assertThat(system.onbeat("check", "--diff", file(EDITED))).isEqualTo(new Cli(0, """
                        CHANGE   SCHEDULE    WHAT                                      NEXT FIRE BEFORE      NEXT FIRE AFTER
                        changed  b-args      args, retry, except                       2026-07-14T10:00:00Z  2026-07-15T00:00:00Z
                        changed  c-rule      cron, timezone, every; fires differently  2026-07-14T10:00:00Z  2026-07-14T09:30:00Z
                        renamed  e-new-name  was e-old-name                            2026-07-14T10:00:00Z  2026-07-14T10:00:00Z
                        changed  f-off       enabled; fires differently                2026-07-14T10:00:00Z  disabled
                        changed  g-paused    task                                      paused                paused
                        added    h-removed   -                                         -                     2026-07-14T10:00:00Z
                        added    i-new       -                                         -                     2026-12-24T18:00:00Z
                        removed  d-gone      -                                         2026-07-15T02:00:00Z  -

                        2 added, 1 removed, 4 changed, 1 renamed, 1 unchanged
                        """, ""));
        assertThat(system.onbeat("check", "--diff", "--json", file(EDITED)).out())
                .startsWith("{\"added\":[{\"name\":\"h-removed\",\"next_fire_after\":\"2026-07-14T10:00:00Z\"},")
                .contains(
                        "\"removed\":[{\"name\":\"d-gone\",\"next_fire_before\":\"2026-07-15T02:00:00Z\"}]",
                        "{\"name\":\"c-rule\",\"keys\":[\"cron\",\"timezone\",\"every\"],\"fires_differently\":true,"
                                + "\"next_fire_before\":\"2026-07-14T10:00:00Z\",\"next_fire_after\":\"2026-07-14T09:30:00Z\"}",
                        "\"renamed\":[{\"name\":\"e-new-name\",\"was\":\"e-old-name\",\"keys\":[],\"fires_differently\":false,")
                .endsWith("\"unchanged\":1}\n");
    }

    @Test
    void a_file_that_is_in_force_changes_nothing() throws IOException {
        system.schedules(IN_FORCE);
        assertThat(system.onbeat("check", file(IN_FORCE), "--diff"))
                .isEqualTo(new Cli(0, "0 added, 0 removed, 0 changed, 8 unchanged\n", ""));
        assertThat(system.ledger().texts("select count(*)::text from schedule")).containsExactly("8");
    }

    @Test
    void a_spec_that_cannot_be_read_is_shown_as_such() throws IOException {
        system.schedules("schedules: {a: {every: 1h, task: noop}}");
        system.ledger().execute("update schedule set spec = '{\"every\": \"1h\"}', hash = 'x'");
        assertThat(system.onbeat("check", "--diff", file("schedules: {a: {every: 1h, task: noop}}"))
                        .lines())
                .contains("changed  a         -     unreadable        2026-07-14T10:00:00Z");
    }

    @Test
    void a_wrong_file_is_told_before_the_ledger_is_asked() throws IOException {
        Cli answer = Cli.onbeat("check", "--diff", file("schedules: {a: {every: 5x, task: t}}"));
        assertThat(answer.code()).isEqualTo(2);
        assertThat(answer.err()).contains("\"5x\" is not a duration");
    }

    private void inForce() {
        system.schedules(IN_FORCE);
        system.ledger().execute("update schedule set paused_at = clock() where name = 'g-paused'");
        system.ledger().execute("update schedule set removed_at = clock() where name = 'h-removed'");
    }

    private String file(String yaml) throws IOException {
        return Files.writeString(directory.resolve("schedule.yaml"), yaml).toString();
    }
}
