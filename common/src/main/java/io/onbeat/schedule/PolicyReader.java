package io.onbeat.schedule;

import java.util.Optional;

/** Reads the keys that say what becomes of fires that are due. */
final class PolicyReader {
    private PolicyReader() {}

    /** What is not given comes from {@code base}; {@code overlap} is what a file says of it anywhere. */
    static Policy read(Section section, Policy base, Optional<Overlap> overlap, Calendars calendars) {
        CatchUp catchUp = section.word("catch_up", CatchUp.class).orElse(base.catchUp());
        return new Policy(
                catchUp,
                section.duration("catch_up_window").orElse(base.catchUpWindow()),
                section.duration("misfire_grace").orElse(base.misfireGrace()),
                overlap.orElse(otherwise(catchUp)),
                section.word("unique_by", UniqueBy.class).or(base::uniqueBy),
                calendars.except(section).orElse(base.except()),
                section.duration("jitter").map(Jitter::new).orElse(base.jitter()),
                section.read("expires", Section::asPositive).or(base::expires));
    }

    /** Skipping would leave one run of all those that {@code catch_up: all} promises. */
    static Overlap otherwise(CatchUp catchUp) {
        return catchUp == CatchUp.ALL ? Overlap.QUEUE : Overlap.SKIP;
    }
}
