package io.onbeat.worker;

import io.onbeat.config.Settings;
import io.onbeat.schedule.Durations;
import java.time.Duration;

/**
 * How a worker holds its runs.
 *
 * @param length how long a run stays this worker's after the last renewal
 * @param renew how often all leases are renewed, at most a third of their length
 * @param ackHandover when a delivery that is still unacknowledged is acknowledged, or given back if no run came of it
 */
public record LeaseSettings(Duration length, Duration renew, Duration ackHandover) {
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** Between two tries to reach the ledger: a small part of the lease, so that several fit into it. */
    Duration longestPause() {
        Duration part = length.dividedBy(10);
        return part.compareTo(LONGEST_PAUSE) < 0 ? part : LONGEST_PAUSE;
    }

    /** Of a renewal that is not answered: one of them leaves time for another. */
    Duration answerTimeout() {
        return length.dividedBy(2);
    }

    static LeaseSettings read(Settings settings, Defaults defaults) {
        LeaseSettings read = new LeaseSettings(
                defaults.duration(WorkerSettingNames.LEASE, Duration.ofSeconds(1)),
                defaults.duration(WorkerSettingNames.LEASE_RENEW, Duration.ofMillis(100)),
                defaults.duration(WorkerSettingNames.ACK_HANDOVER, Duration.ofSeconds(1)));
        if (read.renew.multipliedBy(3).compareTo(read.length) > 0) {
            settings.problem(WorkerSettingNames.LEASE_RENEW + " '" + Durations.format(read.renew)
                    + "' is more than a third of " + WorkerSettingNames.LEASE + " '" + Durations.format(read.length)
                    + "': lower it, so that one slow renewal loses no run");
        }
        return read;
    }
}
