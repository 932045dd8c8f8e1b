package io.onbeat.verify.mutation;

import io.onbeat.verify.mutation.Mutation.Probe;
import io.onbeat.verify.mutation.Scratch.Verdict;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code onbeat test mutations}: 0 = a test notices each, 1 = one survives, 2 = wrong use, or a test fails without it. */
@Command(
        name = "onbeat test mutations",
        description = {
            "Take one guard after the other out of a copy of the sources, and see that a test notices. Where another layer would"
                    + " make good for the guard, that one is switched off too, and with it alone the test must pass."
                    + " Takes some minutes for each.",
            "Exit code: 0 each is noticed, 1 one survives, 2 wrong use, or a test that fails without the mutation."
        },
        footer = {"", "Examples:", "  onbeat test mutations", "  onbeat test mutations unique-key outbox"})
public final class MutationsMain implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Only these.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Print the mutations, and no more.")
    private boolean list;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    public static void main(String[] words) {
        System.exit(new CommandLine(new MutationsMain())
                .setUsageHelpWidth(110)
                .setParameterExceptionHandler((wrong, given) -> {
                    System.err.println(
                            "onbeat test mutations: " + wrong.getMessage() + "; see onbeat test mutations --help");
                    return 2;
                })
                .setExecutionExceptionHandler((failure, command, given) -> {
                    System.err.println("onbeat test mutations: " + failure.getMessage());
                    return 2;
                })
                .execute(words));
    }

    @Override
    public Integer call() throws Exception {
        List<Mutation> chosen = chosen();
        if (list) {
            chosen.forEach(each -> out.printf(Locale.ROOT, "%-24s %s%n", each.name(), each.what()));
            return 0;
        }
        Path root = Path.of(System.getProperty("onbeat.root", "")).toAbsolutePath();
        int survived = 0;
        try (Scratch scratch = new Scratch(root)) {
            Runtime.getRuntime().addShutdownHook(new Thread(scratch::close, "end"));
            expectSound(
                    scratch,
                    List.of(),
                    chosen.stream()
                            .filter(each -> each.masks().isEmpty())
                            .map(Mutation::probe)
                            .toList());
            for (Mutation each : chosen) {
                survived += isNoticed(scratch, each) ? 0 : 1;
            }
        }
        out.println(chosen.size() + " mutations, " + survived + " survived");
        return survived == 0 ? 0 : 1;
    }

    // a test that fails anyway proves nothing, nor does one that notices the layer beside the guard
    private static void expectSound(Scratch scratch, List<Edit> masks, List<Probe> probes) {
        if (!probes.isEmpty()) {
            Verdict verdict = scratch.test(masks, probes);
            if (!verdict.passed()) {
                throw new IllegalStateException("with the guard in place fails " + verdict.finding());
            }
        }
    }

    private boolean isNoticed(Scratch scratch, Mutation mutation) {
        long started = System.nanoTime();
        if (!mutation.masks().isEmpty()) {
            expectSound(scratch, mutation.masks(), List.of(mutation.probe()));
        }
        List<Edit> all = new ArrayList<>(mutation.masks());
        all.addAll(mutation.guard());
        Verdict after = scratch.test(all, List.of(mutation.probe()));
        out.printf(
                Locale.ROOT,
                "%-24s %s (%d s)%n",
                mutation.name(),
                after.passed()
                        ? "SURVIVED: " + mutation.what() + ", and "
                                + mutation.probe().test() + " passes"
                        : "killed by " + after.finding(),
                (System.nanoTime() - started) / 1_000_000_000);
        return !after.passed();
    }

    private List<Mutation> chosen() {
        List<String> known = Mutations.ALL.stream().map(Mutation::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "there is no mutation '" + name + "': it is one of " + String.join(", ", known));
            }
        }
        Stream<Mutation> all = Mutations.ALL.stream();
        return all.filter(each -> names.isEmpty() || names.contains(each.name()))
                .collect(Collectors.toList());
    }
}
