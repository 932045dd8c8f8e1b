package io.onbeat.beat.cli;

import io.onbeat.schedule.Durations;
import io.onbeat.schedule.FireTimes;
import io.onbeat.schedule.Instants;
import io.onbeat.schedule.Nearest;
import io.onbeat.schedule.Schedule;
import io.onbeat.schedule.ScheduleFile;
import io.onbeat.schedule.ScheduleSet;
import io.onbeat.schedule.Zones;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The one rule that the options of {@code next} name: a schedule of a file, crons, an interval or an instant. */
record RuleOptions(
        Optional<String> name,
        Optional<Path> schedules,
        List<String> crons,
        Optional<String> every,
        Optional<String> from,
        Optional<String> at,
        Optional<String> zone) {

    /** From an instant to the next fire time; of a schedule, to the next that no calendar takes out. */
    Function<Instant, Optional<Instant>> next() {
        checkCombination();
        if (name.isPresent()) {
            return schedule(name.get(), schedules.orElseThrow())::nextNotExcluded;
        }
        return fireTimes()::next;
    }

    private FireTimes fireTimes() {
        ZoneId in =
                zone.map(text -> CliCommand.value("--zone", text, Zones::parse)).orElse(ZoneId.of("UTC"));
        if (!crons.isEmpty()) {
            return FireTimes.cron(crons, in);
        }
        if (every.isPresent()) {
            Optional<Instant> anchor = from.map(text -> CliCommand.value("--from", text, Instants::parseSecond));
            return CliCommand.value("--every", every.get(), text -> every(Durations.parse(text), anchor));
        }
        return FireTimes.at(CliCommand.value("--at", at.orElseThrow(), Instants::parseSecond));
    }

    private static FireTimes every(Duration period, Optional<Instant> anchor) {
        return anchor.map(first -> FireTimes.every(period, first)).orElseGet(() -> FireTimes.every(period));
    }

    private void checkCombination() {
        List<String> given = given();
        if (given.size() != 1) {
            throw new UsageError((given.isEmpty() ? "give" : "got " + String.join(" and ", given) + ": give only")
                    + " one of NAME with --schedules, --cron, --every or --at");
        }
        if (name.isPresent() != schedules.isPresent()) {
            throw new UsageError("NAME and --schedules go together: onbeat next NAME --schedules PATH");
        }
        if (from.isPresent() && every.isEmpty()) {
            throw new UsageError("--from goes with --every only: remove it");
        }
        if (zone.isPresent() && name.isPresent()) {
            throw new UsageError("--zone does not go with NAME: a schedule has its own zone; remove it");
        }
    }

    private List<String> given() {
        List<String> given = new ArrayList<>();
        if (name.isPresent() || schedules.isPresent()) {
            given.add("NAME");
        }
        if (!crons.isEmpty()) {
            given.add("--cron");
        }
        every.ifPresent(text -> given.add("--every"));
        at.ifPresent(text -> given.add("--at"));
        return given;
    }

    private static Schedule schedule(String name, Path path) {
        ScheduleSet set = ScheduleFile.load(path);
        return set.find(name)
                .orElseThrow(() -> new UsageError("no schedule \"" + name + "\" in " + path
                        + Nearest.hint(name, set.byName().keySet())));
    }

    @Override
    public String toString() {
        if (!crons.isEmpty()) {
            return "cron \"" + String.join("\", \"", crons) + "\"";
        }
        return every.map(text -> "every " + text)
                .or(() -> at.map(text -> "at " + text))
                .orElseGet(() -> "schedule " + name.orElseThrow());
    }
}
