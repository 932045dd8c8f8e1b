package io.onbeat.beat.fire;

import io.onbeat.ledger.Runs;
import io.onbeat.run.RunKey;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** unique_by: the periods that have their run already. A fire in one of them meets that run, whatever overlap says. */
final class Periods {
    private final Set<String> withRun;

    private Periods(Set<String> withRun) {
        this.withRun = withRun;
    }

    static Periods none() {
        return new Periods(new HashSet<>());
    }

    /** Those that the fires of these judgements fall into. Sound only while the caller holds the schedules' locks. */
    static Periods of(Connection connection, List<Judgement> judgements) throws SQLException {
        List<String> keys = judgements.stream()
                .filter(judgement -> isUnique(judgement.schedule().spec()))
                .flatMap(judgement -> judgement.verdicts().stream()
                        .filter(Verdict.Run.class::isInstance)
                        .map(run -> key(judgement.schedule().spec(), ((Verdict.Run) run).fireTime())))
                .distinct()
                .toList();
        return keys.isEmpty()
                ? none()
                : new Periods(new HashSet<>(Runs.ids(connection, keys).keySet()));
    }

    boolean haveRun(Schedule spec, Instant fireTime) {
        return isUnique(spec) && withRun.contains(key(spec, fireTime));
    }

    void addRun(Schedule spec, Instant fireTime) {
        if (isUnique(spec)) {
            withRun.add(key(spec, fireTime));
        }
    }

    private static boolean isUnique(Schedule spec) {
        return spec.policy().uniqueBy().isPresent();
    }

    private static String key(Schedule spec, Instant fireTime) {
        return RunKey.of(spec, fireTime).value();
    }
}
