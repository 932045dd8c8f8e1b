package io.onbeat.verify.bench;

import java.util.List;

/** The rounds of a benchmark and of its reference, and what to know about them. */
record Measurement(
        String name,
        String unit,
        List<Double> values,
        String reference,
        List<Double> referenceValues,
        List<String> remarks,
        List<PeerFigure> peers) {

    Spread spread() {
        return Spread.of(values);
    }

    Spread referenceSpread() {
        return Spread.of(referenceValues);
    }

    double ratio() {
        return spread().median() / referenceSpread().median();
    }

    double ratio(PeerFigure peer) {
        return spread().median() / peer.spread().median();
    }
}
