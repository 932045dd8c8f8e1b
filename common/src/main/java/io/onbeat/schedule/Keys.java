package io.onbeat.schedule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The keys that a map of the schedule file may have. The reader, the JSON Schema and docs/schedules.md all have them from
 * here.
 */
record Keys(List<Key> all, Set<String> names) {
    private static final Settings BUILT_IN = Settings.BUILT_IN;
    private static final String DELAYS = ((Backoff.Ladder) RetryPolicy.DEFAULT.backoff())
            .delays().stream().map(Durations::format).collect(Collectors.joining(", ", "[", "]"));
    private static final Shape DURATION = Shape.named("duration");
    private static final Shape INSTANT = Shape.named("instant");
    private static final Shape NAME = Shape.named("name");

    static final Keys RETRY = of(
            Key.of(
                            "max_attempts",
                            Shape.number("integer", 1, RetryPolicy.MOST_ATTEMPTS),
                            "After so many failures the run is dead.")
                    .otherwise(String.valueOf(RetryPolicy.DEFAULT.maxAttempts())),
            Key.of(
                            "delays",
                            Shape.list(DURATION, 1),
                            "The waits after the first failure, the second and so on; the last one repeats.")
                    .otherwise(DELAYS),
            Key.of(
                    "initial",
                    DURATION,
                    "Instead of `delays`: the wait grows from here, `initial × factor^failures`, up to `max`."),
            Key.of("factor", Shape.number("number", 1, Backoff.Exponential.MOST_FACTOR), "With `initial`: the growth.")
                    .otherwise(String.valueOf(RetryReader.DEFAULT_FACTOR)),
            Key.of("max", DURATION, "With `initial`: the longest wait. An `initial` above the default raises it.")
                    .otherwise(Durations.format(RetryReader.DEFAULT_MAX)),
            Key.of(
                            "jitter",
                            Shape.number("number", 0, 1),
                            "A wait is lengthened by up to this fraction of it, at random.")
                    .otherwise("0"));

    static final Keys ALERT = of(
            Key.of("late_after", DURATION, "A run has not started this long after it was due."),
            Key.of(
                    "failures",
                    Shape.number("integer", 1, Alert.MOST_FAILURES),
                    "So many failures came one after the other."));

    /** What {@code defaults} may set, and each schedule for itself. */
    static final Keys DEFAULTS = of(
            Key.of(
                            "timezone",
                            Shape.text(),
                            "The zone of `cron`, `unique_by` and `except`. The file's `timezone`, if any.")
                    .otherwise(BUILT_IN.zone().getId()),
            Key.of("queue", NAME, "The queue whose workers run it.").otherwise(BUILT_IN.queue()),
            Key.of("timeout", DURATION, "An attempt that takes longer is interrupted, and counts as a failure.")
                    .otherwise(Durations.format(BUILT_IN.timeout())),
            Key.of("retry", Shape.named("retry"), "How often a run is attempted, and how long it waits in between.")
                    .otherwise("{max_attempts: " + RetryPolicy.DEFAULT.maxAttempts() + ", delays: " + DELAYS + "}"),
            Key.of(
                            "catch_up",
                            Shape.word(CatchUp.class),
                            "Which of the fires that were missed are run: `none`, `latest` or `all`.")
                    .otherwise(Words.of(BUILT_IN.policy().catchUp())),
            Key.of("catch_up_window", DURATION, "Nothing that is later than this is caught up on.")
                    .otherwise(Durations.format(BUILT_IN.policy().catchUpWindow())),
            Key.of("misfire_grace", DURATION, "A fire that is late by at most this much counts as on time.")
                    .otherwise(Durations.format(BUILT_IN.policy().misfireGrace())),
            Key.of(
                            "overlap",
                            Shape.word(Overlap.class),
                            "What happens to a fire while an earlier run is active: `allow`, `skip` or `queue`. Where `catch_up` is `all`, the default is `queue`.")
                    .otherwise(Words.of(BUILT_IN.policy().overlap())),
            Key.of(
                            "except",
                            Shape.oneOrList(NAME, 0),
                            "Calendars: a fire on one of their days, in the schedule's zone, becomes a skip.")
                    .otherwise("[]"),
            Key.of("jitter", DURATION, "A run starts up to this long after its fire time, by its run key.")
                    .otherwise(Durations.format(Duration.ZERO)),
            Key.of("expires", DURATION, "A run that has not started this long after it was due is not run any more."),
            Key.of("alert", Shape.named("alert"), "When people are to be told."));

    static final Keys SCHEDULE = new Keys(Stream.of(
                    Stream.of(
                            Key.of(
                                    "cron",
                                    Shape.oneOrList(Shape.named("cron"), 1),
                                    "Due when the clock matches: 5 fields are Unix cron, 6 or 7 Quartz cron, or an alias. "
                                            + "Of a list, any."),
                            Key.of("every", DURATION, "Due every so often, in whole seconds."),
                            Key.of("at", INSTANT, "Due once."),
                            Key.of("from", INSTANT, "Not due before. It anchors `every`."),
                            Key.of("until", INSTANT, "Not due after."),
                            Key.of(
                                            "enabled",
                                            Shape.type("boolean"),
                                            "`false` takes it out of force without removing it.")
                                    .otherwise("true"),
                            Key.of("task", NAME, "The code to run.").mustBeThere(),
                            Key.of(
                                            "args",
                                            Shape.type("object"),
                                            "What the task is told: a map of anything, up to 1 MB as JSON.")
                                    .otherwise("{}"),
                            Key.of(
                                    "unique_by",
                                    Shape.word(UniqueBy.class),
                                    "One run in each such period, however often it is due or triggered: `hour`, `day`, `week`, `month` or `year`.")),
                    DEFAULTS.all.stream(),
                    Stream.of(
                            Key.of("was", NAME, "A former name: history and watermark move along."),
                            Key.of("description", Shape.text(), "What it is for. For people."),
                            Key.of("owner", Shape.text(), "Whose it is. For people."),
                            Key.of("tags", Shape.list(Shape.text(), 0), "Words to find it by. For people.")
                                    .otherwise("[]")))
            .flatMap(keys -> keys)
            .toList());

    static final Keys TASK = of(Key.of(
                    "max_concurrency",
                    Shape.number("integer", 1, TaskLimitsReader.MOST),
                    "1 to 10000: so many of its runs may be running at once, on all workers together; more are `waiting`.")
            .mustBeThere());

    static final Keys TOP = of(
            Key.of("timezone", Shape.text(), "The zone of every schedule of this file that names none.")
                    .otherwise(BUILT_IN.zone().getId()),
            Key.of("defaults", Shape.named("defaults"), "What a schedule of this file does not say itself.")
                    .otherwise("{}"),
            Key.of(
                            "calendars",
                            Shape.map(Shape.oneOrList(Shape.named("dates"), 0)),
                            "Days under a name, for `except` in every file of the directory.")
                    .otherwise("{}"),
            Key.of(
                            "tasks",
                            Shape.map(Shape.named("task")),
                            "Limits of tasks by their names, whichever schedule, file or person has them run.")
                    .otherwise("{}"),
            Key.of("schedules", Shape.map(Shape.named("schedule")), "The schedules by their names."));

    private Keys(List<Key> all) {
        this(all, all.stream().map(Key::name).collect(Collectors.toUnmodifiableSet()));
    }

    private static Keys of(Key... keys) {
        return new Keys(List.of(keys));
    }

    Optional<Key> find(String name) {
        return all.stream().filter(key -> key.name().equals(name)).findFirst();
    }
}
