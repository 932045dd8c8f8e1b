package io.onbeat.worker;

import io.onbeat.config.ServerSettings;
import io.onbeat.config.Settings;
import io.onbeat.lock.LockSettings;
import io.onbeat.worker.execute.DataSources;
import io.onbeat.worker.execute.TaskSettings;
import io.onbeat.worker.execute.TaskSettings.DatabaseSettings;
import io.onbeat.worker.execute.VirtualThreads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads the settings that concern tasks. */
final class TaskSettingsReader {
    private static final String URL = "_URL";
    private static final String USER = "_USER";
    private static final String PASSWORD = "_PASSWORD";

    private TaskSettingsReader() {}

    static TaskSettings read(Settings settings, Defaults defaults) {
        return new TaskSettings(
                folder(settings),
                defaults.parsed(WorkerSettingNames.ALLOWED_TASKS, TaskSettingsReader::names),
                defaults.parsed(WorkerSettingNames.VIRTUAL_THREADS, TaskSettingsReader::virtualThreads),
                dataSources(settings),
                defaults.number(WorkerSettingNames.DATASOURCE_POOL, 1, 1_000),
                LockSettings.read(settings));
    }

    private static Optional<Path> folder(Settings settings) {
        return settings.parsed(WorkerSettingNames.TASKS_DIR, Optional.empty(), text -> {
            Path folder = Path.of(text);
            if (!Files.isDirectory(folder)) {
                throw new IllegalArgumentException("is not a folder: create it, or leave the setting out");
            }
            return Optional.of(folder);
        });
    }

    private static Set<String> names(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static boolean virtualThreads(String text) {
        return switch (text) {
            case "false" -> false;
            case "true" -> {
                if (!VirtualThreads.available()) {
                    throw new IllegalArgumentException("needs Java 21 or newer, and this is Java "
                            + Runtime.version().feature() + ": set it to false");
                }
                yield true;
            }
            default -> throw new IllegalArgumentException("is neither true nor false");
        };
    }

    private static Map<String, DatabaseSettings> dataSources(Settings settings) {
        Map<String, DatabaseSettings> sources = new TreeMap<>();
        Set<String> known = new TreeSet<>(Set.of(WorkerSettingNames.DATASOURCE_POOL));
        for (String setting : settings.names(WorkerSettingNames.DATASOURCE)) {
            if (setting.endsWith(URL)) {
                String prefix = setting.substring(0, setting.length() - URL.length());
                known.addAll(List.of(setting, prefix + USER, prefix + PASSWORD, prefix + PASSWORD + "_FILE"));
                sources.put(name(settings, setting), dataSource(settings, prefix));
            }
        }
        settings.names(WorkerSettingNames.DATASOURCE).stream()
                .filter(setting -> !known.contains(setting))
                .forEach(setting -> settings.problem(setting + " belongs to no data source: set "
                        + WorkerSettingNames.DATASOURCE + "NAME_URL, and _USER and _PASSWORD of the same NAME"));
        return sources;
    }

    private static DatabaseSettings dataSource(Settings settings, String prefix) {
        return new DatabaseSettings(
                settings.parsed(prefix + URL, "", TaskSettingsReader::url),
                settings.optional(prefix + USER),
                settings.secret(prefix + PASSWORD));
    }

    /** {@code REPORTS_DB} in a setting is {@code reports_db} or {@code reports-db} in a task. */
    private static String name(Settings settings, String setting) {
        String name = setting.substring(WorkerSettingNames.DATASOURCE.length(), setting.length() - URL.length())
                .toLowerCase(Locale.ROOT);
        if (name.equals(DataSources.LEDGER)) {
            settings.problem(setting + " cannot be set: the data source ledger is the database of "
                    + ServerSettings.DATABASE_URL);
        }
        return name;
    }

    private static String url(String text) {
        if (!text.startsWith("jdbc:")) {
            throw new IllegalArgumentException("is not like jdbc:postgresql://host:5432/database");
        }
        if (text.contains("password=")) {
            throw new IllegalArgumentException("holds a password: give it as the setting with _PASSWORD at its end");
        }
        return text;
    }
}
