package io.onbeat.local;

/** A service on this machine that could not be had; the message says why and what to do. */
public class ServiceFailure extends RuntimeException {
    public ServiceFailure(String message) {
        super(message);
    }

    public ServiceFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
