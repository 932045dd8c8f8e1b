package io.onbeat.worker;

import io.onbeat.config.Settings;
import io.onbeat.worker.execute.TaskSettings;
import io.onbeat.worker.execute.TaskSettings.DatabaseSettings;
import io.onbeat.worker.execute.VirtualThreads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads the settings that concern tasks. */
final class TaskSettingsReader {
    private static final String URL = "_URL";
    private static final String LEDGER = "ledger";

    private TaskSettingsReader() {}

    static TaskSettings read(Settings settings, Defaults defaults) {
        return new TaskSettings(
                folder(settings),
                defaults.parsed(WorkerSettingNames.ALLOWED_TASKS, TaskSettingsReader::names),
                defaults.parsed(WorkerSettingNames.VIRTUAL_THREADS, TaskSettingsReader::virtualThreads),
                dataSources(settings),
                defaults.number(WorkerSettingNames.DATASOURCE_POOL, 1, 1_000));
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
        for (String setting : settings.names(WorkerSettingNames.DATASOURCE)) {
            if (setting.endsWith(URL)) {
                String prefix = setting.substring(0, setting.length() - URL.length());
                String name = name(prefix.substring(WorkerSettingNames.DATASOURCE.length()));
                String url = settings.parsed(setting, "", TaskSettingsReader::url);
                if (name.equals(LEDGER) || name.isEmpty()) {
                    settings.problem(setting + " cannot be set: " + LEDGER
                            + " is the ledger's own database, of ONBEAT_DATABASE_URL");
                }
                sources.put(
                        name,
                        new DatabaseSettings(
                                url, settings.optional(prefix + "_USER"), settings.secret(prefix + "_PASSWORD")));
            }
        }
        return sources;
    }

    /** {@code REPORTS_DB} in a setting is {@code reports_db} or {@code reports-db} in a task. */
    private static String name(String inSetting) {
        return inSetting.toLowerCase(Locale.ROOT);
    }

    private static String url(String text) {
        if (!text.startsWith("jdbc:")) {
            throw new IllegalArgumentException("is not like jdbc:postgresql://host:5432/database");
        }
        return text;
    }
}
