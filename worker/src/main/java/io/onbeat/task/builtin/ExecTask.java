package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.process.DeathGuard;
import io.onbeat.process.ProcessTree;
import io.onbeat.task.RetryLater;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Runs a program of this machine, without a shell. Everything that it started ends with it: what would live on would work
 * outside the run's lease, unseen.
 */
public final class ExecTask implements Task {
    static final String NAME = "exec";

    private static final int RETRY_LATER = 75;
    private static final int SIGNALLED = 128;
    private static final Duration GRACE = Duration.ofSeconds(2);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void checkArgs(TaskContext context) {
        Command.checkArgs(context);
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        RunFolder files = RunFolder.create(context);
        try {
            return run(context, Command.of(context, files), files);
        } finally {
            files.delete(context.logger());
        }
    }

    private static Object run(TaskContext context, Command command, RunFolder files) throws Exception {
        CommandOutput output = new CommandOutput(new OutputLog(context.logger()), context::masked);
        try {
            int exit = exit(command, output, files, context);
            output.finish();
            return outcome(command, exit, output);
        } catch (InterruptedException stopped) {
            output.finish();
            throw interrupted(command + " was ended while it ran" + after(output), stopped);
        }
    }

    /** Returns when nothing of it is left. */
    private static int exit(Command command, CommandOutput output, RunFolder files, TaskContext context)
            throws Exception {
        Process process = command.start();
        ProcessTree tree = new ProcessTree(process, Command.MARKER + "=" + command.marker());
        DeathGuard guard = new DeathGuard();
        try {
            watch(guard, process, files, context);
            Command.letGo(process);
            output.read(process);
            return process.waitFor();
        } finally {
            end(tree, context);
            guard.dismiss();
        }
    }

    private static void watch(DeathGuard guard, Process process, RunFolder files, TaskContext context) {
        try {
            guard.prepare();
            guard.watch(process, files.path());
        } catch (IOException unguarded) {
            context.logger().warn("the command would outlive a worker that is killed: {}", unguarded.getMessage());
        }
    }

    private static InterruptedException interrupted(String message, InterruptedException cause) {
        InterruptedException interrupted = new InterruptedException(message);
        interrupted.initCause(cause);
        return interrupted;
    }

    private static void end(ProcessTree tree, TaskContext context) {
        int left = tree.end(GRACE);
        if (left > 0) {
            context.logger().error("{} process(es) of the command could not be killed", left);
        }
    }

    private static Object outcome(Command command, int exit, CommandOutput output) throws CommandFailed {
        if (exit == 0) {
            return output.result().<Object>map(JsonNode.class::cast).orElse(null);
        }
        String message = command + " " + describe(exit) + after(output);
        if (exit == RETRY_LATER) {
            throw new RetryLater(command.retryAfter(), message);
        }
        throw new CommandFailed(message);
    }

    private static String after(CommandOutput output) {
        String tail = output.tail();
        return tail.isBlank() ? "" : ":\n" + tail;
    }

    private static String describe(int exit) {
        Optional<String> hint =
                switch (exit) {
                    case RETRY_LATER -> Optional.of("try again later");
                    case 126 -> Optional.of("it may not be executed");
                    case 127 -> Optional.of("a command was not found");
                    default ->
                        exit > SIGNALLED && exit < SIGNALLED + 65
                                ? Optional.of("signal " + (exit - SIGNALLED))
                                : Optional.empty();
                };
        return "exited with " + exit + hint.map(text -> " (" + text + ")").orElse("");
    }
}
