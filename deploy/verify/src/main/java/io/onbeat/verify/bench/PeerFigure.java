package io.onbeat.verify.bench;

import java.util.List;

/** The rounds of a peer, in the unit of the benchmark. */
record PeerFigure(String name, List<Double> values, String version) {
    Spread spread() {
        return Spread.of(values);
    }
}
