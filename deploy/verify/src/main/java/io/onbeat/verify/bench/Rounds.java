package io.onbeat.verify.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Takes turns between the reference and Onbeat, so that a noisy neighbour meets both; the first turn warms up. */
final class Rounds {
    private final Progress progress;

    Rounds(Progress progress) {
        this.progress = progress;
    }

    Measurement measure(Benchmark benchmark, int rounds) {
        return measure(benchmark, Peers.none(progress), rounds);
    }

    /** The peers' turns come before the reference's, which goes right before Onbeat's. */
    Measurement measure(Benchmark benchmark, Peers peers, int rounds) {
        peers.turn("warm-up", false);
        turn(benchmark, "warm-up");
        List<Double> values = new ArrayList<>();
        List<Double> referenceValues = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            String label = "round " + round + "/" + rounds;
            peers.turn(label, true);
            double[] turn = turn(benchmark, label);
            referenceValues.add(turn[0]);
            values.add(turn[1]);
        }
        return new Measurement(
                benchmark.name(),
                benchmark.unit(),
                List.copyOf(values),
                benchmark.reference(),
                List.copyOf(referenceValues),
                Stream.concat(benchmark.remarks().stream(), peers.leftOut().stream())
                        .toList(),
                peers.figures());
    }

    private double[] turn(Benchmark benchmark, String label) {
        double reference = benchmark.referenceRound();
        progress.say(String.format(
                Locale.ROOT, "%s: %s %,.0f %s", label, benchmark.reference(), reference, benchmark.unit()));
        double value = benchmark.round();
        progress.say(String.format(
                Locale.ROOT, "%s: Onbeat %,.0f %s, ratio %.2f", label, value, benchmark.unit(), value / reference));
        return new double[] {reference, value};
    }
}
