package io.onbeat.beat.cli;

/** The option {@code --limit}. */
final class Limit {
    private static final int MOST = 100_000;

    private Limit() {}

    static void check(int limit) {
        if (limit < 1 || limit > MOST) {
            throw new UsageError("--limit: " + limit + " is out of range: use 1 to " + MOST);
        }
    }

    /** @param found one more than the limit where there are more */
    static void tell(Output output, int limit, int found) {
        if (found > limit) {
            output.line("");
            output.line("the newest " + limit + "; there are more: --limit");
        }
    }
}
