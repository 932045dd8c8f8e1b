package io.onbeat.verify.faults;

import io.onbeat.verify.faults.check.Violation;
import io.onbeat.verify.system.Books;
import io.onbeat.verify.system.Cluster;
import io.onbeat.verify.system.OwnServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a test leaves to look at: the logs of all processes and servers, and the ledger's tables. */
final class Evidence {
    private static final List<String> TABLES = List.of(
            "run",
            "attempt",
            "skip",
            "schedule",
            "outbox",
            "leader",
            "worker",
            "verify.start",
            "verify.once",
            "verify.run_journal",
            "verify.schedule_journal",
            "verify.leader_journal");
    // schedule@instant, schedule@manual:hand-7, outside-7
    private static final Pattern RUN_KEY = Pattern.compile("[a-z-]+@\\S+[^\\s,:.]|outside-\\d+");
    private static final int MOST_LINES = 25;

    private final Cluster cluster;
    private final Books books;

    Evidence(Cluster cluster) {
        this.cluster = cluster;
        this.books = cluster.books();
    }

    Path folder() {
        return cluster.folder();
    }

    long number(String sql) {
        return books.number(sql);
    }

    List<String> texts(String sql) {
        return books.texts(sql);
    }

    /** Puts everything beside the logs of beats and workers. */
    void keep() throws IOException {
        OwnServers servers = (OwnServers) cluster.servers();
        Files.copy(postgresLog(), folder().resolve("postgres.log"));
        Files.copy(servers.rabbit().log(), folder().resolve("rabbitmq.log"));
        for (String table : TABLES) {
            Files.write(
                    folder().resolve(table + ".jsonl"),
                    books.texts("select row_to_json(t)::text from " + table + " t order by 1"));
        }
    }

    private Path postgresLog() {
        return ((OwnServers) cluster.servers()).postgres().log();
    }

    /** What the logs of beats and workers say of the run that a violation names. */
    List<String> logLines(Violation violation) throws IOException {
        Matcher key = RUN_KEY.matcher(violation.what());
        if (!key.find()) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder())) {
            List<String> lines = files.filter(file -> file.toString().endsWith(".log"))
                    .flatMap(file -> lines(file)
                            .filter(line -> line.contains(key.group()))
                            .map(line -> line.substring(0, Math.min(24, line.length())) + " " + file.getFileName()
                                    + ": " + line.substring(Math.min(24, line.length()))))
                    .sorted()
                    .toList();
            return lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size());
        }
    }

    private static Stream<String> lines(Path log) {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines();
        } catch (IOException unreadable) {
            return Stream.empty();
        }
    }
}
