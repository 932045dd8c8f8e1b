package io.onbeat.message;

import java.util.Optional;

/**
 * What a dead queue carries: the message of a run whose failures are exhausted, with its end.
 *
 * @param message its attempt is the one that failed last
 */
public record DeadMessage(
        TaskMessage message,
        int failures,
        Optional<String> errorClass,
        Optional<String> errorMessage,
        Optional<String> worker) {}
