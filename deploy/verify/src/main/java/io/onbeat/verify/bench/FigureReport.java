package io.onbeat.verify.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Several figures as a table, and as one line of JSON: an object that is the first of them and holds all. */
record FigureReport(String name, List<Figure> figures, Map<String, String> versions) {

    void print(PrintWriter out, boolean json) {
        out.printf(
                Locale.ROOT,
                "%n%s, medians of %d%n",
                name,
                figures.get(0).values().size());
        out.printf(Locale.ROOT, "  %-56s %8s %8s %8s%n", "", "median", "min", "max");
        for (Figure figure : figures) {
            Spread spread = figure.spread();
            out.printf(
                    Locale.ROOT,
                    "  %-56s %8.2f %8.2f %8.2f%n",
                    figure.name() + ", " + figure.unit(),
                    spread.median(),
                    spread.min(),
                    spread.max());
        }
        out.println("  on "
                + versions.entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining(", ")));
        if (json) {
            out.println(json());
        }
        out.flush();
    }

    String json() {
        Map<String, Object> result = object(name, figures.get(0));
        result.put(
                "figures",
                figures.stream().map(each -> object(each.name(), each)).toList());
        result.put("versions", versions);
        try {
            return new ObjectMapper().writeValueAsString(result);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Map<String, Object> object(String name, Figure figure) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", name);
        object.put("unit", figure.unit());
        object.put("median", rounded(figure.spread().median()));
        object.put("min", rounded(figure.spread().min()));
        object.put("max", rounded(figure.spread().max()));
        object.put("rounds", figure.values().stream().map(FigureReport::rounded).toList());
        return object;
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
