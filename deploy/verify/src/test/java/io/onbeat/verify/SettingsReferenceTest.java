package io.onbeat.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.beat.BeatSettings;
import io.onbeat.config.SettingNames;
import io.onbeat.config.Settings;
import io.onbeat.ledger.LedgerSettings;
import io.onbeat.schedule.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/operations.md has every setting, and no other; the beat's and the servers' with the defaults that the code has. */
class SettingsReferenceTest {
    private static final Pattern ROW = Pattern.compile("^\\| `(ONBEAT_[A-Z_]+)` \\| (.*?) \\|", Pattern.MULTILINE);

    private final String page;

    SettingsReferenceTest() throws IOException {
        page = Files.readString(Path.of(System.getProperty("onbeat.root"), "docs", "operations.md"));
    }

    private Map<String, String> rows(String heading) {
        int start = page.indexOf("\n### " + heading + "\n");
        int end = page.indexOf("\n##", start + 5);
        Map<String, String> rows = new HashMap<>();
        Matcher row = ROW.matcher(page.substring(start, end));
        while (row.find()) {
            rows.put(row.group(1), row.group(2).replace("`", ""));
        }
        return rows;
    }

    @Test
    void every_setting_is_there() {
        Set<String> documented = new TreeSet<>();
        Matcher row = ROW.matcher(page);
        while (row.find()) {
            if (!row.group(1).startsWith("ONBEAT_DATASOURCE_NAME_")) {
                documented.add(row.group(1));
            }
        }
        Set<String> known = new TreeSet<>(SettingNames.ALL);
        known.removeIf(name -> name.endsWith("_FILE"));
        assertThat(documented).isEqualTo(known);
    }

    @Test
    void the_beat_and_the_servers_have_these_defaults() {
        BeatSettings beat = BeatSettings.read(Settings.of(Map.of()), "id");
        LedgerSettings ledger = beat.servers().ledger();
        assertThat(rows("Servers"))
                .containsEntry("ONBEAT_DATABASE_URL", ledger.url())
                .containsEntry("ONBEAT_DATABASE_USER", ledger.user())
                .containsEntry("ONBEAT_DATABASE_PASSWORD", ledger.password())
                .containsEntry("ONBEAT_DATABASE_POOL", Integer.toString(ledger.poolSize()))
                .containsEntry("ONBEAT_AMQP_USER", beat.servers().broker().user())
                .containsEntry("ONBEAT_NAMESPACE", ledger.namespace());
        assertThat(rows("Servers").get("ONBEAT_AMQP_URL"))
                .startsWith(beat.servers().broker().url());
        assertThat(rows("Beat"))
                .containsEntry(BeatSettings.SCHEDULES, beat.schedules().toString())
                .containsEntry(BeatSettings.LEADER_LEASE, Durations.format(beat.leaderLease()))
                .containsEntry(BeatSettings.LEADER_RENEW, Durations.format(beat.leaderRenew()))
                .containsEntry(BeatSettings.LEASE, Durations.format(beat.workerLease()))
                .containsEntry(BeatSettings.RETENTION, Durations.format(beat.retention()))
                .containsEntry(BeatSettings.HTTP_HOST, beat.httpHost())
                .containsEntry(BeatSettings.HTTP_PORT, Integer.toString(beat.httpPort()));
    }
}
