package io.onbeat.verify.faults;

/** Something that goes wrong, and how it is over again. */
interface Fault {
    void strike() throws Exception;

    /** Leaves everything as it was before; called even where the strike failed half-way. */
    void heal() throws Exception;

    @FunctionalInterface
    interface Step {
        void take() throws Exception;
    }

    static Fault of(Step strike, Step heal) {
        return new Fault() {
            @Override
            public void strike() throws Exception {
                strike.take();
            }

            @Override
            public void heal() throws Exception {
                heal.take();
            }
        };
    }

    /** One that is over as soon as it has struck. */
    static Fault once(Step strike) {
        return of(strike, () -> {});
    }
}
