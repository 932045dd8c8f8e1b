package io.onbeat.schedule;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Several crons as one: an instant that they share is one fire. */
record UnionTimes(List<CronTimes> members) implements FireTimes {
    @Override
    public Optional<Instant> next(Instant after) {
        return members.stream().flatMap(member -> member.next(after).stream()).min(Comparator.naturalOrder());
    }
}
