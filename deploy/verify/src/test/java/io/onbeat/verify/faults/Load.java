package io.onbeat.verify.faults;

import io.onbeat.verify.faults.tasks.LimitedEffect;
import java.util.List;

/** The schedules that the faults meet: every overlap, catch-up and kind of retry, some 300 runs a minute. */
final class Load {
    static final String QUEUE = "default";
    static final String SLOW_QUEUE = "slow";
    /** Is due in a far year only: its runs are started by hand. */
    static final String BY_HAND = "by-hand";

    /** Have fires that are skipped, by overlap and by lateness. */
    static final List<String> BACKFILLED = List.of("cron-skip", "never-late");

    /** Limits hold to the last run. */
    static final String NONE = limits() + "schedules: {}";

    private Load() {}

    private static String limits() {
        return "tasks: {" + LimitedEffect.NAME + ": {max_concurrency: " + LimitedEffect.MOST_AT_ONCE + "}}\n";
    }

    static String yaml(long seed) {
        return limits() + """
                defaults: {timeout: 60s, retry: {max_attempts: 6, delays: [1s, 3s]}}
                schedules:
                  limited: {every: 2s, task: limited-effect, overlap: allow, catch_up: all,
                            args: {seed: SEED, millis: 600, times: 1, percent: {fail: 20, die: 1}}}
                  once: {every: 1s, task: transaction-effect, overlap: allow, catch_up: all, args: {seed: SEED, millis: 20}}
                  plain: {every: 1s, task: plain-effect, overlap: allow, args: {seed: SEED, millis: 20}}
                  cron-skip: {cron: "*/2 * * * * ?", task: transaction-effect, overlap: skip, args: {seed: SEED, millis: 100}}
                  one-by-one: {every: 4s, task: transaction-effect, overlap: queue, catch_up: all,
                               args: {seed: SEED, millis: 100, times: 1, percent: {fail: 10}}}
                  ladder: {every: 2s, task: transaction-effect, overlap: allow,
                           args: {seed: SEED, millis: 50, times: 3, percent: {fail: 70}}}
                  ladder-plain: {every: 2s, task: plain-effect, overlap: allow,
                                 args: {seed: SEED, millis: 50, times: 2, percent: {fail: 50, skip: 10}}}
                  between: {every: 3s, task: plain-effect, overlap: allow,
                            args: {seed: SEED, millis: 20, times: 2, later: 1700, percent: {retry_later: 60}}}
                  doomed: {every: 5s, task: plain-effect, overlap: allow, retry: {max_attempts: 3, delays: [1s]},
                           args: {seed: SEED, millis: 10, times: 99, percent: {fail: 60, fail_for_good: 40}}}
                  outlast: {every: 4s, task: transaction-effect, queue: slow, overlap: allow,
                            args: {seed: SEED, millis: 50, outlast: 7000, percent: {outlast: 80}}}
                  outlast-plain: {every: 5s, task: plain-effect, queue: slow, overlap: skip,
                                  args: {seed: SEED, millis: 50, outlast: 6000, percent: {outlast: 60}}}
                  too-long: {every: 10s, task: plain-effect, overlap: allow, timeout: 2s,
                             args: {seed: SEED, millis: 50, times: 1, percent: {time_out: 60}}}
                  deadly: {every: 10s, task: plain-effect, overlap: allow,
                           args: {seed: SEED, millis: 50, times: 1, percent: {die: 25}}}
                  never-late: {every: 3s, task: plain-effect, overlap: allow, catch_up: none, misfire_grace: 1s,
                               args: {seed: SEED, millis: 20}}
                  newest: {every: 3s, task: transaction-effect, overlap: allow, catch_up: latest, misfire_grace: 1s,
                           args: {seed: SEED, millis: 20}}
                  fresh: {every: 3s, task: plain-effect, overlap: allow, expires: 4s, args: {seed: SEED, millis: 20}}
                  spread: {every: 2s, task: plain-effect, overlap: allow, jitter: 2s, args: {seed: SEED, millis: 20}}
                  by-hand: {at: "2099-01-01T00:00:00Z", task: transaction-effect, overlap: allow,
                            args: {seed: SEED, millis: 20, times: 1, percent: {fail: 20}}}
                """.replace("SEED", Long.toString(seed));
    }
}
