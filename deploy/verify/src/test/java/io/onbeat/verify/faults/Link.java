package io.onbeat.verify.faults;

import java.io.IOException;
import java.net.Socket;
import java.util.Set;

/** One connection through a proxy. */
record Link(Socket client, Socket server, Flow flow) {
    private static final int BYTES = 16_384;

    /** Carries bytes one way until either side ends. */
    void carry(Socket from, Socket to, Set<Link> links) {
        byte[] bytes = new byte[BYTES];
        try {
            for (int read = from.getInputStream().read(bytes);
                    read >= 0;
                    read = from.getInputStream().read(bytes)) {
                flow.await();
                to.getOutputStream().write(bytes, 0, read);
            }
        } catch (IOException ended) {
            // by either side, or by a fault
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            end(client);
            end(server);
            links.remove(this);
        }
    }

    void cut() {
        reset(client);
        reset(server);
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // that is what was wanted
        }
    }

    /** Ends it at once, whatever is still under way in it. */
    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException alreadyGone) {
            // then there is nobody to notice
        }
        end(socket);
    }
}
