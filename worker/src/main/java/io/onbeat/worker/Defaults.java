package io.onbeat.worker;

import io.onbeat.config.Settings;
import io.onbeat.schedule.Durations;
import java.time.Duration;
import java.util.function.Function;

/** Reads a worker's settings with the defaults of {@link WorkerSettingNames}. */
record Defaults(Settings settings) {

    <T> T parsed(String name, Function<String, T> parser) {
        return settings.parsed(name, parser.apply(of(name)), parser);
    }

    Duration duration(String name, Duration least) {
        return settings.duration(name, Durations.parse(of(name)), least);
    }

    int number(String name, int least, int most) {
        return settings.number(name, Integer.parseInt(of(name)), least, most);
    }

    static String of(String name) {
        return WorkerSettingNames.DEFAULTS.get(name);
    }
}
