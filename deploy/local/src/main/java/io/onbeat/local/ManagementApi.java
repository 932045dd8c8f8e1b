package io.onbeat.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** RabbitMQ's management API in JSON text. Paths start with {@code /api/}. */
public final class ManagementApi {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private final String url;
    private final String authorization;

    public ManagementApi(String url, String user, String password) {
        this.url = url;
        byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        this.authorization = "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    public record Response(int status, String body) {
        public boolean ok() {
            return status / 100 == 2;
        }
    }

    /** A name as it stands inside a path: {@code encode("/")} is {@code %2F}. */
    public static String encode(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** @throws ServiceFailure when the answer is no success */
    public String get(String path) {
        return expectOk("GET", path, "");
    }

    public String put(String path, String json) {
        return expectOk("PUT", path, json);
    }

    public String post(String path, String json) {
        return expectOk("POST", path, json);
    }

    /** What is not there any more is as good as deleted. */
    public void delete(String path) {
        Response response = request("DELETE", path, "");
        if (!response.ok() && response.status() != 404) {
            throw failure("DELETE", path, response);
        }
    }

    private String expectOk(String method, String path, String json) {
        Response response = request(method, path, json);
        if (!response.ok()) {
            throw failure(method, path, response);
        }
        return response.body();
    }

    private ServiceFailure failure(String method, String path, Response response) {
        return new ServiceFailure(
                method + " " + url + path + " answered " + response.status() + ": " + response.body());
    }

    /** Any request; the caller judges the status. */
    public Response request(String method, String path, String json) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(LIMIT)
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        json.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(json))
                .build();
        try {
            HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            return new Response(response.statusCode(), response.body());
        } catch (IOException unreachable) {
            throw new UncheckedIOException(method + " " + url + path + ": " + unreachable, unreachable);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted"));
        }
    }
}
