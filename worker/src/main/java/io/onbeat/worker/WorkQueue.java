package io.onbeat.worker;

import io.onbeat.worker.claim.Claimer;
import io.onbeat.worker.consume.Inbox;
import io.onbeat.worker.execute.Slots;

/** A queue as one worker works on it. */
record WorkQueue(String name, Inbox inbox, Claimer claimer, Slots slots) {

    /** Gives back what is not claimed, and wakes who waits for a slot: it will find nothing to put into it. */
    void close() {
        inbox.close();
        slots.giveBack(1);
    }
}
