package io.onbeat.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;

/** Free loopback ports, each remembered under a name in a file so that the next start has the same one where it can. */
final class Ports {
    // Below the range from which systems draw the ports of outgoing connections: a client that keeps trying to reach a
    // stopped
    // server would sooner or later take its port, or be connected to itself.
    private static final int FIRST = 15_000;
    private static final int LAST = 29_999;

    private final Path file;

    Ports(Path file) {
        this.file = file;
    }

    /** The remembered port when it is free, else the preferred one, else any. */
    synchronized int pick(String name, Optional<Integer> preferred) {
        Properties known = load();
        int port = Optional.ofNullable(known.getProperty(name))
                .map(Integer::valueOf)
                .filter(Ports::isFree)
                .or(() -> preferred.filter(Ports::isFree))
                .orElseGet(Ports::any);
        known.setProperty(name, Integer.toString(port));
        save(known);
        return port;
    }

    /** Another port than the remembered one. */
    synchronized int pickAnother(String name) {
        Properties known = load();
        known.remove(name);
        save(known);
        return pick(name, Optional.empty());
    }

    static int any() {
        for (int tries = 0; tries < 1_000; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
            if (isFree(port)) {
                return port;
            }
        }
        throw new ServiceFailure("no free port between " + FIRST + " and " + LAST + " on 127.0.0.1");
    }

    /** True when somebody listens. Looking does not take the port, so it is safe while a server of ours is about to. */
    static boolean answers(int port) {
        try (Socket probe = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
            return probe.isConnected();
        } catch (IOException nobody) {
            return false;
        }
    }

    /** Takes the port for a moment. */
    static boolean isFree(int port) {
        try (ServerSocket loopback = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
            return loopback.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private Properties load() {
        Properties known = new Properties();
        if (Files.exists(file)) {
            try (var in = Files.newInputStream(file)) {
                known.load(in);
            } catch (IOException unreadable) {
                known.clear();
            }
        }
        return known;
    }

    private void save(Properties known) {
        StringBuilder text = new StringBuilder();
        known.stringPropertyNames().stream()
                .sorted()
                .forEach(name -> text.append(name)
                        .append('=')
                        .append(known.getProperty(name))
                        .append('\n'));
        DataFolder.writePrivately(file, text.toString(), "rw-------");
    }
}
