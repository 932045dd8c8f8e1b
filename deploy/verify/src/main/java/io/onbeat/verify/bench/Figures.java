package io.onbeat.verify.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Values of several figures, as the rounds bring them. */
final class Figures {
    private final String unit;
    private final Map<String, List<Double>> values = new LinkedHashMap<>();

    Figures(String unit) {
        this.unit = unit;
    }

    void add(Progress progress, String round, String name, double value) {
        add(name, value);
        progress.say(String.format(Locale.ROOT, "%s: %s: %.2f %s", round, name, value, unit));
    }

    void add(String name, double value) {
        values.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
    }

    List<Figure> all() {
        return values.entrySet().stream()
                .map(each -> new Figure(each.getKey(), unit, each.getValue()))
                .toList();
    }
}
