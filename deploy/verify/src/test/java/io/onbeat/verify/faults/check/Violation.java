package io.onbeat.verify.faults.check;

/** A promise that was broken, in the promise's own words, and by what. */
public record Violation(String invariant, String what) {}
