package io.onbeat.verify.faults.tasks;

import io.onbeat.task.PermanentFailure;
import io.onbeat.task.RetryLater;
import io.onbeat.task.Skipped;
import io.onbeat.task.TaskContext;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How an attempt behaves: chosen by the args and by the run key alone, so that the same seed gives the same history.
 *
 * @param kind the same in every attempt of the run
 * @param millis how long it works
 */
record Conduct(Kind kind, long millis) {
    private static final Duration FOR_EVER = Duration.ofHours(1);

    /** What a run does in its first attempts; after those it behaves. */
    enum Kind {
        GOOD,
        FAIL,
        FAIL_FOR_GOOD,
        RETRY_LATER,
        SKIP,
        TIME_OUT,
        /** takes its worker along */
        DIE,
        /** no fault: it works for longer than a lease stands */
        OUTLAST
    }

    /**
     * @param seed of the whole history
     * @param millis how long an attempt works
     * @param times at most so many attempts of a run misbehave
     * @param later the delay of RETRY_LATER in milliseconds
     * @param outlast how long OUTLAST works, in milliseconds
     * @param percent how many runs in a hundred are of which kind, as {@code {"fail": 20, "die": 2}}; the others are good
     */
    record Args(long seed, long millis, int times, long later, long outlast, Map<String, Integer> percent) {
        Args {
            percent = percent == null ? Map.of() : percent;
        }
    }

    static Conduct of(Args args, String runKey, int attempt) {
        long hash = mixed(args.seed() * 31 + runKey.hashCode());
        Kind kind = kind(args.percent(), Math.floorMod(hash, 100L));
        long times = args.times() < 2 ? args.times() : 1 + Math.floorMod(hash >>> 20, (long) args.times());
        if (kind == Kind.OUTLAST) {
            return new Conduct(kind, args.outlast());
        }
        return new Conduct(
                attempt <= times || kind == Kind.FAIL_FOR_GOOD || kind == Kind.SKIP ? kind : Kind.GOOD, args.millis());
    }

    private static Kind kind(Map<String, Integer> percent, long place) {
        long upTo = 0;
        for (Kind kind : Kind.values()) {
            upTo += percent.getOrDefault(word(kind), 0);
            if (place < upTo) {
                return kind;
            }
        }
        return Kind.GOOD;
    }

    static String word(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    // neighbouring keys must not have neighbouring places
    private static long mixed(long value) {
        long mixed = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ mixed >>> 33;
    }

    /** Works, and then ends as its kind demands; returns where the attempt is to succeed. */
    void act(TaskContext context, Args args) throws Exception {
        work(Duration.ofMillis(millis));
        switch (kind) {
            case GOOD, OUTLAST -> {}
            case FAIL -> throw new Misfortune("attempt " + context.attempt() + " fails, as its args say");
            case FAIL_FOR_GOOD -> throw new PermanentFailure("every attempt would fail, as its args say");
            case RETRY_LATER -> throw new RetryLater(Duration.ofMillis(args.later()));
            case SKIP -> throw new Skipped("nothing to do, as its args say");
            case TIME_OUT -> work(FOR_EVER);
            case DIE -> Runtime.getRuntime().halt(137);
        }
    }

    private static void work(Duration time) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(time.toMillis());
    }
}
