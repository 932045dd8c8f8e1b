package io.onbeat.verify.bench;

import io.onbeat.schedule.FireTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The next fire time after instants that are spread over four years. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FireTimeMicro {
    private static final int INSTANTS = 1 << 10;
    private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration APART = Duration.ofHours(34).plusSeconds(17);
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final Instant[] after = new Instant[INSTANTS];
    private final FireTimes everySecond = FireTimes.every(Duration.ofSeconds(1));
    private final FireTimes everyFiveMinutes = FireTimes.cron(List.of("*/5 * * * *"), ZoneId.of("UTC"));
    private final FireTimes nightly = FireTimes.cron(List.of("0 2 * * *"), BERLIN);
    private final FireTimes officeHours = FireTimes.cron(List.of("*/10 8-18 * * MON-FRI"), BERLIN);
    private final FireTimes leapDay = FireTimes.cron(List.of("0 0 29 2 *"), BERLIN);
    private int at;

    /** JMH makes one for each thread. */
    public FireTimeMicro() {
        for (int i = 0; i < INSTANTS; i++) {
            after[i] = FIRST.plus(APART.multipliedBy(i));
        }
    }

    private Instant after() {
        at = (at + 1) & (INSTANTS - 1);
        return after[at];
    }

    @Benchmark
    public Optional<Instant> everySecond() {
        return everySecond.next(after());
    }

    @Benchmark
    public Optional<Instant> everyFiveMinutes() {
        return everyFiveMinutes.next(after());
    }

    @Benchmark
    public Optional<Instant> nightlyInBerlin() {
        return nightly.next(after());
    }

    @Benchmark
    public Optional<Instant> officeHoursInBerlin() {
        return officeHours.next(after());
    }

    @Benchmark
    public Optional<Instant> leapDayInBerlin() {
        return leapDay.next(after());
    }
}
