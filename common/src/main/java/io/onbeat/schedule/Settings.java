package io.onbeat.schedule;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The settings that a schedule takes from the file's defaults where it has none of its own.
 *
 * @param overlap as it was written; the policy has what follows where it was not
 */
record Settings(
        ZoneId zone,
        String queue,
        Duration timeout,
        RetryPolicy retry,
        Optional<Overlap> overlap,
        Policy policy,
        Alert alert) {
    static final Settings BUILT_IN = new Settings(
            ZoneId.of("UTC"),
            "default",
            Duration.ofMinutes(5),
            RetryPolicy.DEFAULT,
            Optional.empty(),
            new Policy(
                    CatchUp.LATEST,
                    Duration.ofDays(1),
                    Duration.ofSeconds(60),
                    PolicyReader.otherwise(CatchUp.LATEST),
                    Optional.empty(),
                    Exclusions.NONE,
                    Jitter.NONE,
                    Optional.empty()),
            Alert.NONE);

    /** What the section sets, and this for the rest. */
    Settings overriddenBy(Section section, Calendars calendars, Report report) {
        Optional<Overlap> written = section.word("overlap", Overlap.class).or(() -> overlap);
        return new Settings(
                section.parsed("timezone", Zones::parse).orElse(zone),
                section.parsed("queue", name -> Names.check("queue", name)).orElse(queue),
                section.read("timeout", Section::asPositive).orElse(timeout),
                section.field("retry")
                        .flatMap(field -> RetryReader.read(field.value(), retry, report))
                        .orElse(retry),
                written,
                PolicyReader.read(section, policy, written, calendars),
                section.field("alert")
                        .flatMap(field -> AlertReader.read(field.value(), alert, report))
                        .orElse(alert));
    }

    Settings withZone(Optional<ZoneId> given) {
        return new Settings(given.orElse(zone), queue, timeout, retry, overlap, policy, alert);
    }
}
