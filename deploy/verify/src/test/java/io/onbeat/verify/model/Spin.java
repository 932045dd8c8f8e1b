package io.onbeat.verify.model;

import io.onbeat.local.DebianPackages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Spin, and the C compiler that makes a verifier of what it writes. */
final class Spin {
    private static final int DEEPEST = 20_000;
    private static final String MODEL = "onbeat.pml";
    private static final Pattern STATES = Pattern.compile("^\\s*(\\d+) states, stored", Pattern.MULTILINE);
    private static final Pattern ERRORS = Pattern.compile("errors: (\\d+)");
    private static final Pattern UNREACHED =
            Pattern.compile("^\t" + MODEL + ":(\\d+), state \\d+, (\".*\")$", Pattern.MULTILINE);
    private static final Pattern VIOLATED = Pattern.compile(MODEL + ":(\\d+), Error: assertion violated");
    private static final Pattern INVARIANT = Pattern.compile("assert\\(.*/\\* (.*) \\*/");

    private final Path spin = DebianPackages.program("spin", "spin");
    private final Path gcc = DebianPackages.program("gcc", "gcc", "libc6-dev");
    private final String model;

    Spin(String model) {
        this.model = model;
    }

    /**
     * A search through all orders of steps.
     *
     * @param complete false where it ended before it had seen them all, for a fault or for want of room
     * @param unreached line and text of the statements that no order reaches
     * @param output all that the verifier said
     */
    record Search(boolean complete, int errors, long states, Set<String> unreached, String output, Path folder) {}

    /** Looks for violated assertions, and for a process that hangs where it must not. */
    Search search(Path folder, List<String> defines) throws IOException, InterruptedException {
        return search(folder, defines, List.of("-DSAFETY"), List.of());
    }

    /** Looks for an order of steps that goes on for ever: no step of the model is marked as progress. */
    Search searchForCycles(Path folder, List<String> defines) throws IOException, InterruptedException {
        return search(folder, defines, List.of("-DNP"), List.of("-l"));
    }

    /** The comment on the first assertion that fails in what {@link #search} has found. */
    String violated(Search search, List<String> defines) throws IOException, InterruptedException {
        String trail = run(search.folder, with(List.of(spin.toString()), defines, List.of("-t", MODEL)));
        Matcher violated = VIOLATED.matcher(trail);
        if (!violated.find()) {
            return "no assertion: " + search.output;
        }
        String line = model.lines().toList().get(Integer.parseInt(violated.group(1)) - 1);
        Matcher invariant = INVARIANT.matcher(line);
        return invariant.find() ? invariant.group(1).strip() : line.strip();
    }

    /** The steps that lead to the fault, for people. */
    String trail(Search search, List<String> defines) throws IOException, InterruptedException {
        return run(search.folder, with(List.of(spin.toString()), defines, List.of("-t", "-p", "-g", MODEL)));
    }

    private Search search(Path folder, List<String> defines, List<String> kind, List<String> words)
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve(MODEL), model);
        run(folder, with(List.of(spin.toString()), defines, List.of("-a", MODEL)));
        run(folder, with(List.of(gcc.toString(), "-O0", "-w", "-DMEMLIM=1024"), kind, List.of("-o", "pan", "pan.c")));
        String output = run(folder, with(List.of("./pan", "-m" + DEEPEST, "-w22"), words, List.of()));
        return new Search(
                ERRORS.matcher(output).find()
                        && !output.contains("Search not completed")
                        && !output.contains("too small"),
                Integer.parseInt(find(ERRORS, output)),
                Long.parseLong(find(STATES, output)),
                unreached(output),
                output,
                folder);
    }

    private static String find(Pattern figure, String output) {
        Matcher found = figure.matcher(output);
        if (!found.find()) {
            throw new IllegalStateException("the verifier came to no end: " + output);
        }
        return found.group(1);
    }

    private static Set<String> unreached(String output) {
        Set<String> unreached = new TreeSet<>();
        Matcher each = UNREACHED.matcher(output);
        while (each.find()) {
            unreached.add(each.group(1) + " " + each.group(2));
        }
        return unreached;
    }

    private static List<String> with(List<String> first, List<String> second, List<String> third) {
        List<String> all = new ArrayList<>(first);
        all.addAll(second);
        all.addAll(third);
        return all;
    }

    private static String run(Path folder, List<String> command) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        try {
            if (!process.waitFor(10, TimeUnit.MINUTES)) {
                throw new IllegalStateException(command + " takes more than 10 minutes");
            }
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output);
        if (process.exitValue() != 0 && !command.get(0).equals("./pan")) {
            throw new IllegalStateException(command + " ended with " + process.exitValue() + ": " + said);
        }
        return said;
    }
}
