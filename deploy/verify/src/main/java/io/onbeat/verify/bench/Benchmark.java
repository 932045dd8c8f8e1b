package io.onbeat.verify.bench;

import java.util.List;

/** One figure of Onbeat and its reference, each taken in rounds. */
interface Benchmark extends AutoCloseable {
    String name();

    String unit();

    String reference();

    /** Takes one figure of Onbeat, and checks the guarantees after it. */
    double round();

    /** Takes one figure of the reference. */
    double referenceRound();

    /** What else the reader should know when all rounds are over, a line each. */
    List<String> remarks();

    @Override
    void close();
}
