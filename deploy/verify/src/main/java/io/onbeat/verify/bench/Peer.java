package io.onbeat.verify.bench;

import io.onbeat.local.DebianPackages;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The schedulers that {@code --peers} measures, in the project deploy/verify/peers. */
enum Peer {
    DB_SCHEDULER("db-scheduler"),
    JOBRUNR("JobRunr"),
    QUARTZ("Quartz JDBC clustered"),
    CELERY("Celery"),
    CELERY_RESULTS("Celery, results in PostgreSQL");

    /** The slow ones get fewer jobs, or a round of theirs would take minutes. */
    private static final int FEW = 5_000;

    private static final String PROJECT = "deploy/verify/peers/";

    final String title;

    Peer(String title) {
        this.title = title;
    }

    int jobs(int runs) {
        return this == QUARTZ || this == CELERY_RESULTS ? Math.min(runs, FEW) : runs;
    }

    /** @throws RuntimeException when it cannot be had on this machine */
    PeerProcess start(BenchServers servers, int runs) {
        Path log = servers.folder().resolve("peer-" + file() + ".log");
        String jobs = Integer.toString(jobs(runs));
        return switch (this) {
            case DB_SCHEDULER, JOBRUNR, QUARTZ -> PeerProcess.start(java(jobs), servers.peerEnvironment(), log);
            case CELERY -> {
                DebianPackages.install("python3-celery");
                yield PeerProcess.start(python(jobs), servers.peerEnvironment(), log);
            }
            case CELERY_RESULTS -> {
                DebianPackages.install("python3-celery", "python3-sqlalchemy", "python3-psycopg2");
                Map<String, String> environment = servers.peerEnvironment();
                environment.put("PEER_RESULTS", "postgresql");
                yield PeerProcess.start(python(jobs), environment, log);
            }
        };
    }

    private List<String> java(String jobs) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                // JobRunr asks the internet for a newer version of itself: not from here
                "-Dhttps.proxyHost=127.0.0.1",
                "-Dhttps.proxyPort=9",
                "-jar",
                Folders.built(PROJECT + "target/onbeat-peers.jar").toString(),
                file(),
                jobs);
    }

    /** The system's, which has the system's packages. */
    private static List<String> python(String jobs) {
        return List.of(
                "/usr/bin/python3",
                Folders.root().resolve(PROJECT + "celery_peer.py").toString(),
                jobs);
    }

    private String file() {
        return switch (this) {
            case DB_SCHEDULER -> "db-scheduler";
            case JOBRUNR -> "jobrunr";
            case QUARTZ -> "quartz";
            case CELERY -> "celery";
            case CELERY_RESULTS -> "celery-results";
        };
    }
}
