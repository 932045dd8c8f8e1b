package io.onbeat.schedule;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A row of {@code fire-times.tsv}: the pinned answer to one question about fire times. */
record FireTimeCase(
        String id, String kind, String expr, String zone, String after, int count, String expected, String note) {

    static Stream<FireTimeCase> all() {
        try (BufferedReader rows = new BufferedReader(new InputStreamReader(
                FireTimeCase.class.getResourceAsStream("/fire-times.tsv"), StandardCharsets.UTF_8))) {
            return rows.lines().skip(1).map(FireTimeCase::parse).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FireTimeCase parse(String row) {
        String[] cells = row.split("\t", -1);
        return new FireTimeCase(
                cells[0], cells[1], cells[2], cells[3], cells[4], Integer.parseInt(cells[5]), cells[6], cells[7]);
    }

    boolean rejected() {
        return expected.startsWith("error");
    }

    FireTimes fireTimes() {
        return switch (kind) {
            case "cron" -> FireTimes.cron(List.of(expr.split(" ;; ")), ZoneId.of(zone));
            case "every" -> every(expr.split(" from "));
            default -> FireTimes.at(Instants.parseSecond(expr));
        };
    }

    private static FireTimes every(String[] parts) {
        return parts.length == 1
                ? FireTimes.every(Durations.parse(parts[0]))
                : FireTimes.every(Durations.parse(parts[0]), Instants.parseSecond(parts[1]));
    }

    /** The answer in the words of the table's column. */
    String answer() {
        FireTimes times;
        try {
            times = fireTimes();
        } catch (InvalidSchedule e) {
            return e.getMessage().contains("never fires") ? "error:never" : "error";
        }
        List<String> fires = new ArrayList<>();
        Optional<Instant> fire = times.next(Instant.parse(after));
        while (fire.isPresent() && fires.size() < count) {
            fires.add(fire.get().toString());
            fire = times.next(fire.get());
        }
        return fires.isEmpty() ? "error:never" : String.join(",", fires);
    }

    @Override
    public String toString() {
        return id + " [" + expr + "] " + note;
    }
}
