package io.onbeat.worker.execute;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The values that <code>${env:NAME}</code> brought into one attempt's arguments: what it leaves behind shows none of them. */
final class Secrets {
    // shorter ones are in every other text by chance
    private static final int SHORTEST = 4;
    private static final String MASK = "***";

    private final Set<String> known = new LinkedHashSet<>();
    private volatile List<String> longestFirst = List.of();

    /** The same variables; each value that is looked up is a secret from then on. */
    UnaryOperator<String> keeping(UnaryOperator<String> environment) {
        return name -> {
            String value = environment.apply(name);
            if (value != null) {
                keep(value);
            }
            return value;
        };
    }

    boolean isEmpty() {
        return longestFirst.isEmpty();
    }

    String mask(String text) {
        String masked = text;
        for (String secret : longestFirst) {
            masked = masked.replace(secret, MASK);
        }
        return masked;
    }

    // Its lines too, since output is read by the line; and as it stands in JSON, since errors quote arguments so.
    private synchronized void keep(String value) {
        Stream.concat(Stream.of(value), value.lines())
                .flatMap(text -> Stream.of(text, inJson(text)))
                .filter(text -> text.length() >= SHORTEST && !text.isBlank())
                .forEach(known::add);
        // a secret that is part of another must not leave the rest of that one behind
        longestFirst = known.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    private static String inJson(String text) {
        return String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text));
    }
}
