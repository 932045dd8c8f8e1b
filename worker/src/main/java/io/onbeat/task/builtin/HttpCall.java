package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.task.TaskContext;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A request and the answer that it expects, read from a run. Its text shows neither query nor headers: they may be secret. */
record HttpCall(HttpRequest request, Set<Integer> expected, Duration timeout, List<String> secrets) {
    static final List<String> KEYS = List.of("url", "method", "headers", "body", "expect", "timeout");

    private static final String URL = "an http or https URL such as https://orders.internal/sync";
    private static final String STATUSES = "a status or a list of them, such as [200, 404]";
    private static final Set<String> HARMLESS = Set.of("accept", "content-type", "user-agent");
    private static final int SHORTEST_SECRET = 6;

    static HttpCall of(TaskContext context) {
        return of(Arguments.of(HttpTask.NAME, context.args(), KEYS), "GET", context.runKey(), context);
    }

    /**
     * @param method where the arguments name none
     * @param idempotencyKey the same for whatever the receiver is to take as the same request
     */
    static HttpCall of(Arguments args, String method, String idempotencyKey, TaskContext context) {
        Map<String, Optional<String>> headers = args.entries("headers");
        Duration timeout = args.duration("timeout", Duration.ofSeconds(30));
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri(args));
        set(args, builder, "Idempotency-Key", headerText(idempotencyKey));
        set(args, builder, "X-Onbeat-Attempt", Integer.toString(context.attempt()));
        set(args, builder, "X-Onbeat-Fire-At", context.fireTime().toString());
        Optional<JsonNode> body = args.value("body");
        body.ifPresent(node -> set(
                args, builder, "Content-Type", node.isTextual() ? "text/plain; charset=utf-8" : "application/json"));
        headers.forEach((name, value) -> set(args, builder, name, value.orElse("")));
        method(args, builder, method, body);
        return new HttpCall(builder.build(), expected(args), timeout, secrets(headers));
    }

    boolean expects(int status) {
        return expected.isEmpty() ? status / 100 == 2 : expected.contains(status);
    }

    /** A receiver may well echo a token that it was sent. */
    String withoutSecrets(String text) {
        String clean = text;
        for (String secret : secrets) {
            clean = clean.replace(secret, "***");
        }
        return clean;
    }

    static String withoutCredentials(String url) {
        return url.replaceAll("//[^/?#]*@", "//***@").replaceAll("\\?.*", "?…");
    }

    @Override
    public String toString() {
        return request.method() + " " + withoutCredentials(request.uri().toString());
    }

    private static URI uri(Arguments args) {
        String text = args.requiredText("url", URL);
        try {
            URI uri = new URI(text);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            if (uri.getUserInfo() != null) {
                throw args.wrong("url", "without a user name and password; send an Authorization header instead");
            }
            if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // falls through to the same message
        }
        throw args.wrong("url", URL + ", not \"" + withoutCredentials(text) + "\"");
    }

    private static void method(Arguments args, HttpRequest.Builder builder, String otherwise, Optional<JsonNode> body) {
        String expected = "an HTTP method such as GET or POST";
        String method = args.text("method", expected).orElse(otherwise);
        HttpRequest.BodyPublisher publisher = body.map(HttpCall::publisher).orElseGet(BodyPublishers::noBody);
        try {
            builder.method(method.toUpperCase(Locale.ROOT), publisher);
        } catch (IllegalArgumentException e) {
            throw args.wrong("method", expected + ", not \"" + method + "\"");
        }
    }

    private static HttpRequest.BodyPublisher publisher(JsonNode body) {
        return BodyPublishers.ofString(body.isTextual() ? body.textValue() : body.toString(), StandardCharsets.UTF_8);
    }

    // Without the cause: the client's message quotes the value.
    private static void set(Arguments args, HttpRequest.Builder builder, String name, String value) {
        try {
            builder.setHeader(name, value);
        } catch (IllegalArgumentException e) {
            throw args.wrong("headers", "headers that may be set and sent, and \"" + name + "\" is not one");
        }
    }

    private static Set<Integer> expected(Arguments args) {
        Set<Integer> statuses = new HashSet<>();
        args.value("expect").ifPresent(node -> {
            for (JsonNode status : node.isArray() ? node : List.of(node)) {
                if (!status.isInt() || status.intValue() < 200 || status.intValue() > 599) {
                    throw args.wrong("expect", STATUSES, node);
                }
                statuses.add(status.intValue());
            }
            if (statuses.isEmpty()) {
                throw args.wrong("expect", STATUSES, node);
            }
        });
        return statuses;
    }

    private static List<String> secrets(Map<String, Optional<String>> headers) {
        List<String> secrets = new ArrayList<>();
        headers.forEach((name, value) -> {
            if (!HARMLESS.contains(name.toLowerCase(Locale.ROOT))) {
                // "Bearer abc" is echoed as a whole, or as the token alone
                Stream.concat(value.stream(), value.stream().flatMap(v -> Stream.of(v.split("\\s+"))))
                        .filter(text -> text.length() >= SHORTEST_SECRET)
                        .filter(text -> !text.equalsIgnoreCase("Bearer"))
                        .forEach(secrets::add);
            }
        });
        return secrets;
    }

    /** Headers are ASCII; what is not goes percent-encoded. */
    static String headerText(String text) {
        StringBuilder ascii = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            ascii.append(b > ' ' && b < 127 ? Character.toString(b) : String.format(Locale.ROOT, "%%%02X", b & 0xff));
        }
        return ascii.toString();
    }
}
