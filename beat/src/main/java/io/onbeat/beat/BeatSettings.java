package io.onbeat.beat;

import io.onbeat.config.ServerSettings;
import io.onbeat.config.Settings;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A beat's settings.
 *
 * @param schedules a YAML file, or a directory of them
 * @param leaderLease how long a leader that is silent still leads
 * @param leaderRenew how often it renews, at most a third of the lease
 * @param workerLease the workers' lease: after a gap in reaching the ledger no run's lease is ended for so long
 * @param retention how long ended runs are kept
 */
public record BeatSettings(
        ServerSettings servers,
        Path schedules,
        String id,
        Duration leaderLease,
        Duration leaderRenew,
        Duration workerLease,
        Duration retention,
        String httpHost,
        int httpPort) {
    public static final String SCHEDULES = "ONBEAT_SCHEDULES";
    public static final String BEAT_ID = "ONBEAT_BEAT_ID";
    public static final String LEADER_LEASE = "ONBEAT_LEADER_LEASE";
    public static final String LEADER_RENEW = "ONBEAT_LEADER_RENEW";
    public static final String LEASE = "ONBEAT_LEASE";
    public static final String RETENTION = "ONBEAT_RETENTION";
    public static final String HTTP_HOST = "ONBEAT_HTTP_HOST";
    public static final String HTTP_PORT = "ONBEAT_HTTP_PORT";

    public static BeatSettings read(Settings settings, String defaultId) {
        BeatSettings read = new BeatSettings(
                ServerSettings.read(settings),
                Path.of(settings.text(SCHEDULES, "schedule.yaml")),
                settings.text(BEAT_ID, defaultId),
                settings.duration(LEADER_LEASE, Duration.ofSeconds(10), Duration.ofSeconds(1)),
                settings.duration(LEADER_RENEW, Duration.ofSeconds(2), Duration.ofMillis(100)),
                settings.duration(LEASE, Duration.ofSeconds(30), Duration.ofSeconds(1)),
                settings.duration(RETENTION, Duration.ofDays(30), Duration.ofMinutes(1)),
                settings.text(HTTP_HOST, "127.0.0.1"),
                settings.number(HTTP_PORT, 8080, 0, 65_535));
        if (read.leaderRenew.multipliedBy(3).compareTo(read.leaderLease) > 0) {
            settings.problem(LEADER_RENEW + " must be at most a third of " + LEADER_LEASE + ": "
                    + read.leaderRenew.toMillis() + " ms is more than a third of " + read.leaderLease.toMillis()
                    + " ms");
        }
        return read;
    }
}
