package io.onbeat.examples;

/** Chance that falls alike whenever the same is asked: a run that is repeated repeats itself. */
final class Dice {
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private Dice() {}

    /** A number from 0 up to {@code below}, which the text decides. */
    static int roll(String text, int below) {
        long mixed = text.hashCode() * GOLDEN;
        mixed = (mixed ^ mixed >>> 32) * GOLDEN;
        return (int) Math.floorMod(mixed >>> 32, (long) below);
    }
}
