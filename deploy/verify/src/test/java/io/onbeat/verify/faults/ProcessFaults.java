package io.onbeat.verify.faults;

import java.time.Duration;

/** Faults of one beat or worker. */
final class ProcessFaults {
    private ProcessFaults() {}

    static Fault kill(Slot slot) {
        return Fault.of(slot::kill9, slot::start);
    }

    /** It knows nothing of the time that passes. */
    static Fault freeze(Slot slot) {
        return Fault.of(() -> slot.signal("STOP"), () -> slot.signal("CONT"));
    }

    /** Its machine's clock is set to another time. */
    static Fault step(Slot slot, Duration offset) {
        return Fault.of(() -> slot.stepClock(offset), () -> slot.stepClock(Duration.ZERO));
    }

    static Fault stop(Slot slot) {
        return Fault.of(slot::stop, slot::start);
    }
}
