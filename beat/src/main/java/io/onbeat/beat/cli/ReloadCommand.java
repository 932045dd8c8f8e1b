package io.onbeat.beat.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "reload",
        description = {
            "Have a beat read its schedule file now. It does so by itself within two seconds of a change; this tells what came"
                    + " of it. SIGHUP does the same."
        },
        footer = {"", "Example:", "  onbeat reload --url http://127.0.0.1:8080"})
final class ReloadCommand extends CliCommand {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String BEAT_URL = "ONBEAT_BEAT_URL";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The beat's address; when absent " + BEAT_URL + ", else http://127.0.0.1:8080.")
    private Optional<String> url;

    @Override
    void run(Output output) throws InterruptedException {
        String beat = url.orElseGet(() -> environment().getOrDefault(BEAT_URL, "http://127.0.0.1:8080"));
        HttpResponse<String> answer = ask(beat);
        if (answer.statusCode() != 200) {
            throw new Failed("not taken over, the last good schedules stay in force: "
                    + answer.body().strip().lines().findFirst().orElse("") + more(answer.body()));
        }
        output.line("taken over");
        output.answer(new Fields().add("taken_over", true).values());
    }

    private static HttpResponse<String> ask(String beat) throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(beat + "/reload"))
                    .timeout(LIMIT)
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IllegalArgumentException wrong) {
            throw new UsageError("--url \"" + beat + "\" is not like http://127.0.0.1:8080");
        } catch (IOException away) {
            throw new Failed("no beat answers at " + beat + ": start one, or name its address with --url", away);
        }
    }

    private static String more(String errors) {
        long lines = errors.strip().lines().count();
        return lines > 1 ? " (and " + (lines - 1) + " more: onbeat check shows all)" : "";
    }
}
