package io.onbeat.task.builtin;

import io.onbeat.task.RetryLater;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends requests and judges their answers. For many threads. */
final class HttpCaller {
    private static final int QUOTED_IN_ERROR = 500;
    private static final long LONGEST_RETRY_AFTER = Duration.ofDays(1).toSeconds();

    // Redirects are not followed: the JDK's client would hand the headers, tokens too, to whatever host the answer
    // names.
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    /** What is kept of it: the status, and the end of the body. */
    record Answer(int status, String body) {}

    /**
     * @throws HttpFailure when there was no answer, or not one that was asked for
     * @throws RetryLater when the receiver said when to come back
     */
    Answer send(HttpCall call) throws Exception {
        BodyEnds body = new BodyEnds();
        HttpResponse<Void> response = exchange(call, body);
        if (call.expects(response.statusCode())) {
            return new Answer(response.statusCode(), call.withoutSecrets(body.tail(response)));
        }
        throw failure(call, response, body);
    }

    /** The limit covers the body too, which the client's own time-out does not. */
    private HttpResponse<Void> exchange(HttpCall call, BodyEnds body) throws HttpFailure, InterruptedException {
        CompletableFuture<HttpResponse<Void>> exchange =
                client.sendAsync(call.request(), info -> BodySubscribers.ofByteArrayConsumer(body));
        try {
            return exchange.get(call.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HttpFailure(
                    call + " gave no complete answer within " + call.timeout().toMillis() + " ms");
        } catch (ExecutionException e) {
            throw new HttpFailure(call + " failed: " + reason(e.getCause()), e.getCause());
        } finally {
            exchange.cancel(true);
        }
    }

    private static Exception failure(HttpCall call, HttpResponse<Void> response, BodyEnds body) {
        int status = response.statusCode();
        String quoted = call.withoutSecrets(body.head(response));
        String message = call + " answered " + status
                + response.headers()
                        .firstValue("Location")
                        .filter(location -> status / 100 == 3)
                        .map(location ->
                                " (a redirect to " + HttpCall.withoutCredentials(location) + ", which is not followed)")
                        .orElse("")
                + (quoted.isBlank() ? "" : ": " + Excerpt.first(quoted, QUOTED_IN_ERROR));
        Optional<Duration> delay = status == 429 || status == 503 ? retryAfter(response) : Optional.empty();
        return delay.<Exception>map(d -> new RetryLater(d, message)).orElseGet(() -> new HttpFailure(message));
    }

    private static Optional<Duration> retryAfter(HttpResponse<Void> response) {
        return response.headers()
                .firstValue("Retry-After")
                .map(String::strip)
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(text -> Duration.ofSeconds(Math.min(Long.parseLong(text), LONGEST_RETRY_AFTER)));
    }

    private static String reason(Throwable cause) {
        if (cause instanceof HttpConnectTimeoutException) {
            return "no connection within 10 seconds";
        }
        if (cause instanceof ConnectException) {
            return unresolved(cause) ? "the host name does not resolve" : "connection refused";
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private static boolean unresolved(Throwable cause) {
        return cause != null && (cause instanceof UnresolvedAddressException || unresolved(cause.getCause()));
    }
}
