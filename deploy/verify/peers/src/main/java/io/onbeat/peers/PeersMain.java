package io.onbeat.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code NAME COUNT}: takes a round for each line of the input, and answers it with a line of JSON; ends when the input ends.
 * One process for all rounds, so that the first warms up for the others. The database stands in the environment.
 */
public final class PeersMain {
    private static final long LIMIT_MINUTES = 10;

    /** As many jobs are stored at a time as Onbeat's beat writes runs in a transaction. */
    private static final int BATCH = 1_000;

    private PeersMain() {}

    public static void main(String[] words) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        // however the benchmark ends, and whatever this process does then
        ProcessHandle.current().parent().ifPresent(bench -> bench.onExit()
                .thenRun(() -> Runtime.getRuntime().halt(1)));
        int count = Integer.parseInt(words[1]);
        try (HikariDataSource database = database(Peer.threads(words[0]));
                BufferedReader rounds =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Peer peer = Peer.of(words[0], database);
            while (rounds.readLine() != null) {
                double seconds = round(peer, count);
                answers.printf(
                        Locale.ROOT,
                        "{\"jobs\":%d,\"seconds\":%.6f,\"version\":\"%s\"}%n",
                        count,
                        seconds,
                        version(peer.library()));
                answers.flush();
            }
        }
        // a library may have left threads
        System.exit(0);
    }

    private static double round(Peer peer, int count) throws Exception {
        Runs runs = Runs.begin(count);
        peer.prepare();
        long start = System.nanoTime();
        peer.enqueue(0, Math.min(count, BATCH));
        // with work there already, or one that polls would wait for its first interval to pass
        peer.start();
        try {
            for (int from = BATCH; from < count; from += BATCH) {
                peer.enqueue(from, Math.min(count, from + BATCH));
            }
            runs.awaitAll(LIMIT_MINUTES);
            while (!peer.settled()) {
                Thread.sleep(1);
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            runs.checkOnce();
            return seconds;
        } finally {
            peer.stop();
        }
    }

    private static HikariDataSource database(int threads) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(System.getenv("PEER_DATABASE_URL"));
        config.setUsername(System.getenv("PEER_DATABASE_USER"));
        config.setPassword(System.getenv("PEER_DATABASE_PASSWORD"));
        // one for each thread, and some for what a library does beside the jobs
        config.setMaximumPoolSize(threads + 4);
        return new HikariDataSource(config);
    }

    private static String version(Class<?> library) throws Exception {
        Path jar = Path.of(library.getProtectionDomain().getCodeSource().getLocation().toURI());
        Matcher version = Pattern.compile("-(\\d[\\w.]*)\\.jar$").matcher(jar.toString());
        return version.find() ? version.group(1) : "unknown";
    }
}
