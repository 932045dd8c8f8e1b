package io.onbeat.worker;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.config.ConfigurationErrors;
import io.onbeat.lock.LockSettings;
import io.onbeat.schedule.Problem;
import io.onbeat.schedule.Schedule;
import io.onbeat.schedule.ScheduleErrors;
import io.onbeat.schedule.ScheduleFile;
import io.onbeat.schedule.ScheduleSet;
import io.onbeat.task.builtin.CeleryTask;
import io.onbeat.worker.execute.ArgsCheck;
import io.onbeat.worker.execute.ArgsCheck.Finding;
import io.onbeat.worker.execute.TaskRegistry;
import io.onbeat.worker.execute.TaskSettings;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The part of {@code onbeat check} that needs the tasks: the launcher runs it before the beat's part. Says nothing where all
 * is in order, and nothing of what is wrong with the file itself: that is the beat's to tell.
 */
public final class CheckArgsMain {
    private static final int WRONG = 2;

    private final Path file;
    private final boolean everyTask;
    private final TaskRegistry tasks;
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private CheckArgsMain(Path file, Path folder, boolean everyTask) {
        this.file = file;
        this.everyTask = everyTask;
        TaskSettings settings = new TaskSettings(
                Optional.of(folder), Set.of("*", "exec"), false, Map.of(), 1, new LockSettings(Optional.empty()));
        CeleryTask celery = new CeleryTask(new BrokerSettings("", "", "", "onbeat"), "check");
        this.tasks = TaskRegistry.load(settings, List.of(celery), List.of());
    }

    /** @param args the schedule file, the folder of task jars, whether every task is there ({@code all}) or not, {@code json} or {@code text} */
    public static void main(String[] args) {
        System.setProperty("logback.configurationFile", "io/onbeat/worker/check.xml");
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, false, StandardCharsets.UTF_8);
        int code = run(args, out, err);
        out.flush();
        err.flush();
        System.exit(code);
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        try {
            CheckArgsMain check = new CheckArgsMain(Path.of(args[0]), Path.of(args[1]), args[2].equals("all"));
            return check.run(args[3].equals("json"), out, err);
        } catch (ConfigurationErrors wrong) {
            wrong.problems().forEach(problem -> err.println("onbeat: " + problem));
            return WRONG;
        }
    }

    private int run(boolean json, PrintStream out, PrintStream err) {
        ScheduleSet schedules;
        try {
            schedules = ScheduleFile.load(file);
        } catch (ScheduleErrors theBeatTells) {
            return 0;
        }
        schedules.all().forEach(this::check);
        if (everyTask) {
            schedules.limits().keySet().stream()
                    .filter(task -> !tasks.names().contains(task))
                    .forEach(task -> warnings.add(file + ": tasks: " + ArgsCheck.noTask(task, tasks.names())));
        }
        warnings.forEach(warning -> err.println("onbeat: warning: " + oneLine(warning)));
        if (problems.isEmpty()) {
            return 0;
        }
        tell(json, out, err);
        return WRONG;
    }

    private void check(Schedule schedule) {
        ArgsCheck.Finding finding = new ArgsCheck(tasks).check(schedule).orElse(null);
        if (finding instanceof Finding.Wrong wrong) {
            problems.add(new Problem(file.toString(), 0, 0, schedule.name(), wrong.message()));
        } else if (finding instanceof Finding.NoTask missing && everyTask) {
            warnings.add(new Problem(file.toString(), 0, 0, schedule.name(), missing.message()).toString());
        } else if (finding instanceof Finding.Unchecked unchecked) {
            warnings.add(new Problem(file.toString(), 0, 0, schedule.name(), unchecked.message()).toString());
        }
    }

    // as the beat's part tells of what is wrong with the file
    private void tell(boolean json, PrintStream out, PrintStream err) {
        if (json) {
            ObjectNode answer = new ObjectMapper().createObjectNode().put("valid", false);
            problems.forEach(problem -> answer.withArray("problems")
                    .addObject()
                    .put("file", problem.file())
                    .put("line", problem.line())
                    .put("column", problem.column())
                    .put("schedule", problem.schedule())
                    .put("message", problem.message()));
            out.println(answer);
        } else if (problems.size() > 1) {
            problems.forEach(problem -> out.println(oneLine(problem.toString())));
        }
        int more = problems.size() - 1;
        err.println("onbeat: " + oneLine(problems.get(0).toString()) + (more == 0 ? "" : " (and " + more + " more)"));
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", "; ").replaceAll("\\p{Cntrl}", "?");
    }
}
