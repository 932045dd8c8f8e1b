package io.onbeat.worker;

import io.onbeat.config.ServerSettings;
import io.onbeat.config.Settings;
import io.onbeat.schedule.Names;
import io.onbeat.worker.execute.TaskSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A worker's settings.
 *
 * @param queues the slots by queue: how many of its runs may execute at once
 * @param prefetch how many messages of a queue may be here unacknowledged; empty = by its slots
 * @param drain how long a stopping worker lets running tasks finish
 * @param httpPort 0 = any that is free
 */
public record WorkerSettings(
        ServerSettings servers,
        String id,
        Map<String, Integer> queues,
        OptionalInt prefetch,
        Duration drain,
        LeaseSettings leases,
        TaskSettings tasks,
        String httpHost,
        int httpPort) {
    private static final int MOST_SLOTS = 10_000;
    private static final int MANY_SLOTS = 64;
    // below the broker's own limit of 65,535
    private static final int MOST_PREFETCH = 50_000;

    public static WorkerSettings read(Settings settings, String defaultId) {
        Defaults defaults = new Defaults(settings);
        return new WorkerSettings(
                ServerSettings.read(settings),
                settings.parsed(WorkerSettingNames.WORKER_ID, defaultId, WorkerSettings::id),
                defaults.parsed(WorkerSettingNames.QUEUES, WorkerSettings::queues),
                prefetch(settings),
                defaults.duration(WorkerSettingNames.DRAIN, Duration.ZERO),
                LeaseSettings.read(settings, defaults),
                TaskSettingsReader.read(settings, defaults),
                defaults.parsed(WorkerSettingNames.HTTP_HOST, host -> host),
                defaults.number(WorkerSettingNames.HTTP_PORT, 0, 65_535));
    }

    /**
     * How many messages of this queue may be here unacknowledged: enough that no slot waits for one. Few slots mean long
     * tasks, as a rule: what is here and waits then is kept from workers that have a free slot.
     */
    public int prefetchFor(String queue) {
        int slots = queues.get(queue);
        return prefetch.orElse(Math.max(20, slots < MANY_SLOTS ? 2 * slots : 4 * slots));
    }

    private static String id(String text) {
        if (!text.matches("[A-Za-z0-9._:-]{1,100}")) {
            throw new IllegalArgumentException("is not 1 to 100 of A-Z a-z 0-9 . _ : -");
        }
        return text;
    }

    private static OptionalInt prefetch(Settings settings) {
        int prefetch = settings.number(WorkerSettingNames.PREFETCH, 0, 1, MOST_PREFETCH);
        return prefetch == 0 ? OptionalInt.empty() : OptionalInt.of(prefetch);
    }

    private static Map<String, Integer> queues(String text) {
        Map<String, Integer> queues = new LinkedHashMap<>();
        for (String part : text.split(",")) {
            String[] pair = part.strip().split(":");
            if (pair.length != 2 || !pair[1].matches("[0-9]{1,5}")) {
                throw new IllegalArgumentException(
                        "is not like default:64,slow:4 (queue:slots): '" + part.strip() + "'");
            }
            int slots = Integer.parseInt(pair[1]);
            if (slots < 1 || slots > MOST_SLOTS) {
                throw new IllegalArgumentException("gives " + slots + " slots: use 1 to " + MOST_SLOTS);
            }
            if (queues.put(Names.check("queue", pair[0]), slots) != null) {
                throw new IllegalArgumentException("names the queue " + pair[0] + " twice");
            }
        }
        return queues;
    }
}
