package io.onbeat.verify.faults;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onbeat test faults}: 0 = no violation, 1 = violations, 2 = wrong use. */
@Command(
        name = "onbeat test faults",
        description = {
            "Let faults strike two beats, three workers, a PostgreSQL and a RabbitMQ while they work, and check that no due"
                    + " fire was lost and nothing was done twice. Exit code: 0 nothing found, 1 violations, 2 wrong use."
        },
        footer = {
            "",
            "Examples:",
            "  onbeat test faults",
            "  onbeat test faults --seed 7 --minutes 2",
            "  onbeat test faults --only kill,database-crash --plan"
        })
public final class FaultsMain implements Callable<Integer> {
    private static final int SEEDS = 1_000_000;
    private static final double LONGEST_MINUTES = 24 * 60;

    @Spec
    private CommandSpec spec;

    @Option(names = "--seed", paramLabel = "N", description = "The same seed strikes the same way; random when absent.")
    private Long seed;

    @Option(names = "--minutes", paramLabel = "M", defaultValue = "2", description = "For how long faults strike (2).")
    private double minutes;

    @Option(names = "--only", paramLabel = "KIND", split = ",", description = "Only these kinds of faults.")
    private List<String> only = List.of();

    @Option(names = "--plan", description = "Print which faults would strike, when and where, and no more.")
    private boolean plan;

    @Option(names = "--list", description = "Print the kinds of faults, and no more.")
    private boolean list;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    public static void main(String[] words) {
        System.exit(new CommandLine(new FaultsMain())
                .setUsageHelpWidth(110)
                .setParameterExceptionHandler((wrong, given) -> {
                    System.err.println("onbeat test faults: " + wrong.getMessage() + "; see onbeat test faults --help");
                    return 2;
                })
                .execute(words));
    }

    @Override
    public Integer call() throws Exception {
        if (!(minutes > 0 && minutes <= LONGEST_MINUTES)) {
            throw new ParameterException(
                    spec.commandLine(), "--minutes " + minutes + ": give a number over 0 and up to " + LONGEST_MINUTES);
        }
        Set<Kind> kinds = kinds();
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (list) {
            Stream.of(Kind.values()).forEach(kind -> out.printf("%-18s%s%n", kind.word(), kind.meaning()));
            return 0;
        }
        long chosen = seed == null ? ThreadLocalRandom.current().nextInt(SEEDS) : seed;
        Duration length = Duration.ofMillis(Math.round(minutes * 60_000));
        out.println("seed " + chosen);
        if (plan) {
            Plan.of(chosen, length, kinds).inOrder().forEach(out::println);
            return 0;
        }
        return strike(chosen, length, kinds, out);
    }

    private static int strike(long seed, Duration length, Set<Kind> kinds, PrintStream out) throws Exception {
        try (Campaign campaign = new Campaign(seed, length, kinds, out)) {
            Runtime.getRuntime().addShutdownHook(new Thread(campaign::close, "end"));
            Report report = campaign.run();
            report.print(out);
            return report.violations().isEmpty() ? 0 : 1;
        }
    }

    private Set<Kind> kinds() {
        if (only.isEmpty()) {
            return EnumSet.allOf(Kind.class);
        }
        return only.stream().map(this::kind).collect(Collectors.toCollection(() -> EnumSet.noneOf(Kind.class)));
    }

    private Kind kind(String word) {
        return Kind.of(word.strip())
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "--only '" + word + "' is none of "
                                + Stream.of(Kind.values()).map(Kind::word).collect(Collectors.joining(", "))));
    }
}
