package io.onbeat.schedule;

import java.time.Duration;
import java.time.ZoneId;

/** A schedule with every default filled in. */
public record Schedule(String name, Timing timing, Work work, Policy policy, About about) {

    /** Reads the specification that {@link #toJson()} wrote; keys that are absent have their built-in defaults. */
    public static Schedule fromJson(String name, String json) {
        return SpecReader.strict(json, (node, report) -> SpecReader.read(name, node, Settings.BUILT_IN, report));
    }

    /** The whole normalized specification, without the name. */
    public String toJson() {
        return Json.write(json -> SpecWriter.schedule(json, this));
    }

    /** Changes with anything in the specification. */
    public String hash() {
        return Json.hash(toJson());
    }

    /** Changes only with what decides when it fires. */
    public String ruleHash() {
        return Json.hash(Json.write(json -> SpecWriter.timing(json, timing)));
    }

    public FireTimes fireTimes() {
        return timing.fireTimes();
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
