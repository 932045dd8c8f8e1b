package io.onbeat.verify.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A result as a table, and as one line of JSON. */
record Report(Measurement measured, Map<String, String> versions) {

    void print(PrintWriter out, boolean json) {
        out.printf(Locale.ROOT, "%n%s, %s, medians of %d rounds%n", measured.name(), measured.unit(), rounds());
        out.printf(Locale.ROOT, "  %-36s %10s %10s %10s%n", "", "median", "min", "max");
        row(out, "Onbeat", measured.spread());
        row(out, measured.reference(), measured.referenceSpread());
        out.printf(Locale.ROOT, "  %-36s %10.2f%n", "ratio", measured.ratio());
        measured.peers().forEach(peer -> {
            row(out, peer.name() + " " + peer.version(), peer.spread());
            out.printf(Locale.ROOT, "  %-36s %10.2f%n", "ratio to it", measured.ratio(peer));
        });
        out.println("  Onbeat round by round: " + listed(measured.values()));
        measured.remarks().forEach(remark -> out.println("  " + remark));
        out.println("  on "
                + versions.entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining(", ")));
        if (json) {
            out.println(json());
        }
        out.flush();
    }

    private int rounds() {
        return measured.values().size();
    }

    private static void row(PrintWriter out, String label, Spread spread) {
        out.printf(
                Locale.ROOT, "  %-36s %,10.0f %,10.0f %,10.0f%n", label, spread.median(), spread.min(), spread.max());
    }

    private static String listed(List<Double> values) {
        return values.stream()
                .map(each -> String.format(Locale.ROOT, "%,.0f", each))
                .collect(Collectors.joining("  "));
    }

    String json() {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("name", measured.name());
        result.put("unit", measured.unit());
        result.put("median", rounded(measured.spread().median()));
        result.put("min", rounded(measured.spread().min()));
        result.put("max", rounded(measured.spread().max()));
        result.put("rounds", measured.values().stream().map(Report::rounded).toList());
        result.put("reference", measured.reference());
        result.put("reference_median", rounded(measured.referenceSpread().median()));
        result.put("ratio", ratio(measured.ratio()));
        if (!measured.peers().isEmpty()) {
            result.put("peers", measured.peers().stream().map(this::peer).toList());
        }
        result.put("versions", versions);
        try {
            return new ObjectMapper().writeValueAsString(result);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Map<String, Object> peer(PeerFigure figure) {
        Map<String, Object> peer = new LinkedHashMap<>();
        peer.put("name", figure.name());
        peer.put("median", rounded(figure.spread().median()));
        peer.put("min", rounded(figure.spread().min()));
        peer.put("max", rounded(figure.spread().max()));
        peer.put("ratio", ratio(measured.ratio(figure)));
        peer.put("version", figure.version());
        return peer;
    }

    private static double ratio(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }

    private static double rounded(double value) {
        return Math.round(value * 10) / 10.0;
    }
}
