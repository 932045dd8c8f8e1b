package io.onbeat.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A schedule with every default filled in.
 *
 * @param was the name that it had before, where its history is to move along
 */
public record Schedule(
        String name, Optional<String> was, Timing timing, Work work, Policy policy, Alert alert, About about) {

    /** Reads the specification that {@link #toJson()} wrote; keys that are absent have their built-in defaults. */
    public static Schedule fromJson(String name, String json) {
        return SpecReader.strict(
                json, (node, report) -> SpecReader.read(name, node, Settings.BUILT_IN, Calendars.EMBEDDED, report));
    }

    /** The whole normalized specification, without the name; the dates of its calendars are in it. */
    public String toJson() {
        return Json.write(json -> SpecWriter.schedule(json, this));
    }

    /** Changes with anything in the specification. */
    public String hash() {
        return Json.hash(toJson());
    }

    /**
     * Changes only with what decides when it fires. Calendars do not: a fire on a day that they take out is due, and becomes a
     * skip. So an edit of a calendar holds for every fire that has not been judged yet.
     */
    public String ruleHash() {
        return Json.hash(Json.write(json -> SpecWriter.timing(json, timing)));
    }

    public FireTimes fireTimes() {
        return timing.fireTimes();
    }

    /** Whether a calendar of {@code except} holds the date that this fire time has in the schedule's zone. */
    public boolean excludes(Instant fireTime) {
        return !policy.except().isEmpty()
                && policy.except().excludes(fireTime.atZone(zone()).toLocalDate());
    }

    /** The first fire time later than {@code after} that no calendar takes out; empty when none follows within 100 years. */
    public Optional<Instant> nextNotExcluded(Instant after) {
        Optional<Instant> next = fireTimes().next(after);
        while (next.filter(this::excludes).isPresent()) {
            Instant last = lastExcludedSecond(next.get());
            next = fireTimes().next(last).filter(fire -> fire.isAfter(last) && Horizon.reaches(after, fire));
        }
        return next;
    }

    private Instant lastExcludedSecond(Instant fireTime) {
        Instant dayEnd = policy.except()
                .lastOf(fireTime.atZone(zone()).toLocalDate())
                .orElseThrow()
                .plusDays(1)
                .atStartOfDay(zone())
                .toInstant()
                .minusSeconds(1);
        return dayEnd.isAfter(fireTime) ? dayEnd : fireTime;
    }

    /** How long after its fire time the run with this key starts: 0 to {@code jitter}, the same whoever computes it. */
    public Duration offset(String runKey) {
        return policy.jitter().offset(runKey);
    }

    public ZoneId zone() {
        return timing.zone();
    }

    public boolean enabled() {
        return timing.enabled();
    }

    public String task() {
        return work.task();
    }

    public String args() {
        return work.args();
    }

    public String queue() {
        return work.queue();
    }

    public Duration timeout() {
        return work.timeout();
    }

    public RetryPolicy retry() {
        return work.retry();
    }
}
