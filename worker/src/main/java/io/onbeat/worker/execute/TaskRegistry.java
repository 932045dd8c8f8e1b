package io.onbeat.worker.execute;

import io.onbeat.config.ConfigurationErrors;
import io.onbeat.task.Task;
import io.onbeat.worker.execute.TaskJars.Found;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The tasks that this worker has, by name. */
public final class TaskRegistry {
    private static final String ALL = "*";
    // runs any program of the machine, so a worker must have been told to allow it
    private static final String EXEC = "exec";

    private final Map<String, Task> allowed;
    private final Set<String> forbidden;

    private TaskRegistry(Map<String, Task> allowed, Set<String> forbidden) {
        this.allowed = allowed;
        this.forbidden = forbidden;
    }

    /**
     * @param builtIn tasks that need more of the worker than a class path gives them
     * @param own tasks that the caller brings along: always allowed
     * @throws ConfigurationErrors when two tasks have one name, or an allowed one does not exist
     */
    public static TaskRegistry load(TaskSettings settings, Collection<Task> builtIn, Collection<Task> own) {
        List<String> problems = new ArrayList<>();
        Map<String, Found> found = new TreeMap<>();
        List<Found> all = new ArrayList<>(TaskJars.find(settings.folder()));
        builtIn.forEach(task -> all.add(new Found(task, "this worker")));
        own.forEach(task -> all.add(new Found(task, "the caller")));
        for (Found each : all) {
            Found other = found.putIfAbsent(each.name(), each);
            if (other != null) {
                problems.add("two tasks are named '" + each.name() + "': " + other + " and " + each
                        + "; rename or remove one");
            }
        }
        Map<String, Task> allowed = new TreeMap<>();
        own.forEach(task -> allowed.put(task.name(), task));
        for (String name : settings.allowed()) {
            if (name.equals(ALL)) {
                found.values().stream()
                        .filter(each -> !each.name().equals(EXEC))
                        .forEach(each -> allowed.put(each.name(), each.task()));
            } else if (found.containsKey(name)) {
                allowed.put(name, found.get(name).task());
            } else {
                problems.add("ONBEAT_ALLOWED_TASKS names '" + name + "', which is no task here; known: "
                        + String.join(", ", found.keySet()));
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationErrors(problems);
        }
        found.keySet().removeAll(allowed.keySet());
        return new TaskRegistry(allowed, Set.copyOf(found.keySet()));
    }

    public Collection<String> names() {
        return allowed.keySet();
    }

    Task find(String name) throws UnknownTask {
        Task task = allowed.get(name);
        if (task != null) {
            return task;
        }
        throw new UnknownTask(
                forbidden.contains(name)
                        ? "the task '" + name + "' is not allowed on this worker: add it to ONBEAT_ALLOWED_TASKS"
                        : "no worker knows task '" + name + "'; known: " + String.join(", ", allowed.keySet()));
    }
}
