package io.onbeat.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How the file writes the values of an enum. */
final class Words {
    private Words() {}

    static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    static List<String> all(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants()).map(Words::of).toList();
    }
}
