package io.onbeat.verify.bench;

import java.util.List;

/** Something that was measured a few times. */
record Figure(String name, String unit, List<Double> values) {
    Spread spread() {
        return Spread.of(values);
    }
}
