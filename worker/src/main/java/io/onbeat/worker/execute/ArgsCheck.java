package io.onbeat.worker.execute;

import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.schedule.Nearest;
import io.onbeat.schedule.Schedule;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.Task;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Holds a schedule's arguments against its task, as far as that can be done before a run. */
public final class ArgsCheck {
    /**
     * <code>${env:NAME}</code> is known to the worker only, so anything may stand for it: arguments are in order if they are
     * with one choice of these.
     */
    private static final List<String> MADE_UP = List.of("x", "http://x.invalid", "1", "1s", "true", "2027-01-01");

    private static final int MOST_CHOICES = 2_000;

    private final TaskRegistry tasks;

    public ArgsCheck(TaskRegistry tasks) {
        this.tasks = tasks;
    }

    /** What came of one schedule. */
    public sealed interface Finding {
        /** A run with these arguments would be dead at once. */
        record Wrong(String message) implements Finding {}

        /** There is no such task here. */
        record NoTask(String message) implements Finding {}

        /** The task's own check does not work. */
        record Unchecked(String message) implements Finding {}
    }

    /** @return empty when the arguments are in order */
    public Optional<Finding> check(Schedule schedule) {
        Task task;
        try {
            task = tasks.find(schedule.task());
        } catch (UnknownTask unknown) {
            return Optional.of(new Finding.NoTask(noTask(schedule.task(), tasks.names())));
        }
        try {
            Set<String> variables = new LinkedHashSet<>();
            Args.read(schedule.args(), name -> {
                variables.add(name);
                return MADE_UP.get(0);
            });
            return wrong(task, schedule, List.copyOf(variables)).map(Finding.Wrong::new);
        } catch (PermanentFailure wrong) {
            return Optional.of(new Finding.Wrong(wrong.getMessage()));
        } catch (RuntimeException | LinkageError broken) {
            return Optional.of(
                    new Finding.Unchecked("the args could not be checked by task " + task.name() + ": " + broken));
        }
    }

    /** Says so, with the task that was probably meant. */
    public static String noTask(String name, Collection<String> known) {
        String hint = Nearest.hint(name, known);
        return "no task \"" + name + "\" here" + (hint.isEmpty() ? "; known are " + String.join(", ", known) : hint);
    }

    private static Optional<String> wrong(Task task, Schedule schedule, List<String> variables) {
        double choices = Math.pow(MADE_UP.size(), variables.size());
        Optional<String> first = Optional.empty();
        for (int choice = 0; choice < Math.min(choices, MOST_CHOICES); choice++) {
            Optional<String> wrong = wrong(task, schedule, chosen(variables, choice));
            if (wrong.isEmpty()) {
                return wrong;
            }
            first = first.or(() -> wrong);
        }
        return choices > MOST_CHOICES ? Optional.empty() : first;
    }

    private static Optional<String> wrong(Task task, Schedule schedule, Map<String, String> values) {
        JsonNode args = Args.read(schedule.args(), values::get);
        try {
            task.checkArgs(new CheckedArgs(task.name(), schedule.name(), args));
            return Optional.empty();
        } catch (PermanentFailure wrong) {
            return Optional.of(String.valueOf(wrong.getMessage()));
        }
    }

    /** One of all the ways to give each variable one of the values. */
    private static Map<String, String> chosen(List<String> variables, int choice) {
        Map<String, String> chosen = new HashMap<>();
        int rest = choice;
        for (String variable : variables) {
            chosen.put(variable, MADE_UP.get(rest % MADE_UP.size()));
            rest /= MADE_UP.size();
        }
        return chosen;
    }
}
