package io.onbeat.schedule;

import java.time.Duration;

/**
 * What a run of the schedule does, and how.
 *
 * @param args a JSON object, as text
 */
public record Work(String task, String args, String queue, Duration timeout, RetryPolicy retry) {}
