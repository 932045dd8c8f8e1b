package io.onbeat.worker.execute;

import io.onbeat.config.ConfigurationErrors;
import io.onbeat.task.Task;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds tasks as {@link java.util.ServiceLoader} does, on the class path and in a folder of jars; but it knows which jar
 * each came from, and one that does not load takes no other with it.
 */
final class TaskJars {
    private static final Logger log = LoggerFactory.getLogger(TaskJars.class);
    private static final String SERVICE = "META-INF/services/" + Task.class.getName();

    private TaskJars() {}

    /** A task and where it was found. */
    record Found(Task task, String source) {
        String name() {
            return task.name();
        }

        @Override
        public String toString() {
            return task.getClass().getName() + " of " + source;
        }
    }

    static List<Found> find(Optional<Path> folder) {
        ClassLoader loader = loader(folder);
        List<Found> found = new ArrayList<>();
        try {
            for (URL services : new LinkedHashSet<>(Collections.list(loader.getResources(SERVICE)))) {
                for (String className : classNames(services)) {
                    load(loader, className, source(services)).ifPresent(found::add);
                }
            }
        } catch (IOException unreadable) {
            throw new ConfigurationErrors(List.of("cannot look for tasks: " + unreadable));
        }
        return found;
    }

    // closed with the process: tasks load classes for as long as they run
    @SuppressWarnings("resource")
    private static ClassLoader loader(Optional<Path> folder) {
        ClassLoader ours = TaskJars.class.getClassLoader();
        return folder.<ClassLoader>map(f -> new URLClassLoader("tasks", jars(f), ours))
                .orElse(ours);
    }

    private static URL[] jars(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> jars = files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            URL[] urls = new URL[jars.size()];
            for (int i = 0; i < urls.length; i++) {
                urls[i] = jars.get(i).toUri().toURL();
            }
            return urls;
        } catch (IOException unreadable) {
            throw new ConfigurationErrors(
                    List.of("ONBEAT_TASKS_DIR '" + folder + "' cannot be read: " + unreadable.getMessage()));
        }
    }

    private static Optional<Found> load(ClassLoader loader, String className, String source) {
        try {
            Object task = Class.forName(className, true, loader)
                    .getDeclaredConstructor()
                    .newInstance();
            Found found = new Found((Task) task, source);
            if (found.name() == null || found.name().isBlank()) {
                throw new IllegalStateException("its name() is empty");
            }
            return Optional.of(found);
        } catch (Exception | LinkageError broken) {
            Throwable reason = broken.getCause() == null ? broken : broken.getCause();
            log.error(
                    "the task {} of {} does not load, so runs of it will fail here: {}",
                    className,
                    source,
                    reason + "");
            return Optional.empty();
        }
    }

    private static Set<String> classNames(URL services) {
        Set<String> names = new LinkedHashSet<>();
        try {
            URLConnection connection = services.openConnection();
            // the cache would keep the jar open, and show its old content after it was replaced
            connection.setUseCaches(false);
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String name = line.replaceFirst("#.*", "").strip();
                    if (!name.isEmpty()) {
                        names.add(name);
                    }
                }
            }
        } catch (IOException unreadable) {
            log.error("cannot read the tasks of {}: {}", source(services), unreadable + "");
        }
        return names;
    }

    /** The jar, or the folder of classes. */
    private static String source(URL services) {
        return services.toString()
                .replaceFirst("^jar:", "")
                .replaceFirst("^file:", "")
                .replaceFirst("!?/" + SERVICE.replace(".", "\\.") + "$", "");
    }
}
