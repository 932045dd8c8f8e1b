package io.onbeat.verify.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The network between one process and one server: all of it passes here, and a fault changes how. */
public final class TcpProxy implements AutoCloseable {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int BACKLOG = 100;

    private final String name;
    private final int server;
    private final ServerSocket listener;
    private final Flow flow = new Flow();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();

    /** @param server the port that it stands in front of */
    public TcpProxy(String name, int server) {
        this.name = name;
        this.server = server;
        try {
            listener = new ServerSocket(0, BACKLOG, LOOPBACK);
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
        daemon("accept", this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** As if nothing had ever been wrong; what was held back goes on. */
    void pass() {
        flow.set(Flow.Mode.PASS);
    }

    /** Ends every connection; new ones are welcome. */
    public void cut() {
        links.forEach(Link::cut);
    }

    /** Ends every connection, and every new one at once. */
    void refuse() {
        flow.set(Flow.Mode.REFUSE);
        cut();
    }

    /** Takes connections and bytes, and delivers nothing until it passes again. */
    public void stall() {
        flow.set(Flow.Mode.STALL);
    }

    /** Delivers everything late. */
    void slow() {
        flow.set(Flow.Mode.SLOW);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (flow.refuses()) {
                    Link.reset(client);
                } else {
                    daemon("open", () -> open(client));
                }
            } catch (IOException closed) {
                // the loop ends when the listener has
            }
        }
    }

    private void open(Socket client) {
        try {
            flow.await();
            Link link = new Link(client, new Socket(LOOPBACK, server), flow);
            links.add(link);
            if (flow.refuses()) {
                link.cut();
            }
            daemon("out", () -> link.carry(link.client(), link.server(), links));
            link.carry(link.server(), link.client(), links);
        } catch (IOException serverIsAway) {
            Link.reset(client);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void daemon(String what, Runnable work) {
        Thread thread = new Thread(work, "proxy " + name + " " + what);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException alreadyGone) {
            // nobody is let in either way
        }
        refuse();
    }
}
