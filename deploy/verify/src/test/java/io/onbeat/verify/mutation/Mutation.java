package io.onbeat.verify.mutation;

import java.util.List;

/**
 * A guard taken out of a copy of the sources, and the test that must notice.
 *
 * @param guard takes it out
 * @param masks switch off other layers that would make good for it; with them alone the test must still pass
 */
record Mutation(String name, String what, List<Edit> guard, List<Edit> masks, Probe probe) {

    /**
     * A test.
     *
     * @param module its folder
     * @param test as Maven's {@code -Dtest} takes it
     */
    record Probe(String module, String test) {}

    static Mutation of(String name, String what, Probe probe, Edit... guard) {
        return new Mutation(name, what, List.of(guard), List.of(), probe);
    }

    Mutation maskedBy(Edit... layers) {
        return new Mutation(name, what, guard, List.of(layers), probe);
    }
}
