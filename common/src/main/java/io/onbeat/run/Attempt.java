package io.onbeat.run;

/** The start of a run that a message asks for: the ledger grants it when the run has been started {@code number - 1} times. */
public record Attempt(long runId, String runKey, int number) {}
