package io.onbeat.verify.tasks;

import io.onbeat.task.TaskContext;

/** Fails some attempts: a seed decides which, so that the same seed brings the same failures. */
final class Luck {
    private final TaskContext context;
    private final Args args;

    /**
     * @param seed of all failures
     * @param percent how many attempts in a hundred fail at each place that asks
     * @param millis how long the work takes
     */
    record Args(long seed, int percent, int millis) {}

    Luck(TaskContext context) {
        this.context = context;
        this.args = context.args(Args.class);
    }

    int millis() {
        return args.millis();
    }

    /** @param place in the attempt, which fails or not on its own */
    void tempt(String place) {
        String what = args.seed() + " " + context.runKey() + " " + context.attempt() + " " + place;
        if (Math.floorMod(mixed(what.hashCode()), 100) < args.percent()) {
            throw new IllegalStateException("bad luck at " + place);
        }
    }

    /** The number at the end of a run key such as {@code lock@manual:ask-17}. */
    static int number(String runKey) {
        return Integer.parseInt(runKey.substring(runKey.lastIndexOf('-') + 1));
    }

    // neighbouring texts must not have neighbouring places
    private static int mixed(int value) {
        int mixed = (value ^ value >>> 16) * 0x85ebca6b;
        mixed = (mixed ^ mixed >>> 13) * 0xc2b2ae35;
        return mixed ^ mixed >>> 16;
    }
}
