package io.onbeat.verify.system;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A process that stands still until the test lets go: as on a machine that is suspended, or swaps itself to death. */
final class Frozen implements AutoCloseable {
    private final Node node;

    private Frozen(Node node) {
        this.node = node;
    }

    static Frozen of(Node node) {
        signal("STOP", node);
        return new Frozen(node);
    }

    @Override
    public void close() {
        signal("CONT", node);
    }

    private static void signal(String name, Node node) {
        try {
            Process kill = new ProcessBuilder(
                            "kill",
                            "-s",
                            name,
                            "--",
                            Long.toString(node.process().pid()))
                    .start();
            if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("cannot send " + name + " to " + node.name());
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
