package io.onbeat.beat.cli;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Schedules;
import io.onbeat.schedule.Nearest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Tells a schedule without runs from one that does not exist. */
final class KnownSchedules {
    private static final int MOST_NAMES = 10;

    private KnownSchedules() {}

    static void check(Connection connection, String option, String name) throws SQLException {
        List<String> names =
                Schedules.all(connection).stream().map(Schedules.Row::name).toList();
        if (!names.contains(name)) {
            throw new UsageError(option + unknown(name, names));
        }
    }

    /** What to say when the ledger has no such schedule. */
    static RuntimeException missing(Ledger ledger, String name) {
        try (Connection connection = ledger.connection()) {
            return new UsageError(unknown(
                    name,
                    Schedules.all(connection).stream()
                            .filter(row -> !row.removed())
                            .map(Schedules.Row::name)
                            .toList()));
        } catch (SQLException unreachable) {
            return new Failed("the ledger cannot be read", unreachable);
        }
    }

    static String unknown(String name, Collection<String> names) {
        String hint = Nearest.hint(name, names);
        if (!hint.isEmpty()) {
            return "no schedule \"" + name + "\"" + hint;
        }
        if (names.isEmpty()) {
            return "no schedule \"" + name + "\": the ledger has none yet; a beat writes those of its schedule file";
        }
        List<String> some = names.stream().limit(MOST_NAMES).toList();
        return "no schedule \"" + name + "\"; there is " + String.join(", ", some)
                + (names.size() > MOST_NAMES ? ", …: onbeat schedules lists all" : "");
    }
}
