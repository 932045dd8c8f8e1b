package io.onbeat.metrics;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The health command of a container: asks this machine's process at {@code ONBEAT_HTTP_PORT} (or the port given as argument)
 * for its health, and exits with 0 or 1.
 */
public final class HealthCheck {
    private static final int LIMIT_MILLIS = 4_000;

    private HealthCheck() {}

    public static void main(String[] args) {
        System.exit(check(args, System.getenv(), System.out));
    }

    static int check(String[] args, Map<String, String> environment, PrintStream out) {
        String port = environment.getOrDefault("ONBEAT_HTTP_PORT", args.length > 0 ? args[0] : "8081");
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create("http://127.0.0.1:" + port + "/health").toURL().openConnection();
            connection.setConnectTimeout(LIMIT_MILLIS);
            connection.setReadTimeout(LIMIT_MILLIS);
            int status = connection.getResponseCode();
            try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                out.println(new String(body.readAllBytes(), StandardCharsets.UTF_8).strip());
            }
            return status == 200 ? 0 : 1;
        } catch (IOException | RuntimeException unreachable) {
            out.println("no answer at port " + port + ": " + unreachable.getMessage());
            return 1;
        }
    }
}
