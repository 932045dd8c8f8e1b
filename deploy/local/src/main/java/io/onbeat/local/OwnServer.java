package io.onbeat.local;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** A server that was started here, so that its end can be seen and mended. */
interface OwnServer {
    String name();

    Path log();

    /** Completed with the exit code when what runs now has ended. */
    CompletableFuture<Integer> onExit();

    /**
     * On the same ports and data, once what the former process left behind is gone.
     *
     * @throws ServiceFailure when it does not start
     */
    void startAgain();

    void close();
}
