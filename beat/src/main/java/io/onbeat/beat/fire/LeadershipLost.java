package io.onbeat.beat.fire;

/** Another beat leads: whatever was under way was rolled back. */
public final class LeadershipLost extends RuntimeException {
    public LeadershipLost(String owner, long term) {
        super("beat " + owner + " no longer leads in term " + term);
    }
}
