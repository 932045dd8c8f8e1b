package io.onbeat.schedule;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Time zones by their identifier, such as {@code Asia/Shanghai}. */
public final class Zones {
    private static final Set<String> KNOWN = new TreeSet<>(ZoneId.getAvailableZoneIds());

    private Zones() {}

    /** @throws InvalidSchedule with the nearest zone there is */
    public static ZoneId parse(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new InvalidSchedule(
                    "zone \"" + Quoted.oneLine(text) + "\" does not exist: use one such as UTC or Asia/Shanghai"
                            + nearest(text)
                                    .map(zone -> "; did you mean \"" + zone + "\"?")
                                    .orElse(""));
        }
    }

    /** A city alone is found too: {@code shanghai} is {@code Asia/Shanghai}. */
    private static Optional<String> nearest(String text) {
        String end = "/" + text.strip().replace(' ', '_').toLowerCase(Locale.ROOT);
        return KNOWN.stream()
                .filter(zone -> ("/" + zone.toLowerCase(Locale.ROOT)).endsWith(end))
                .findFirst()
                .or(() -> Nearest.to(text, KNOWN));
    }
}
