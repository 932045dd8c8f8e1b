package io.onbeat.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A log file goes on when its process is started again; at a new start, the former start's is kept beside it as NAME.log.1. */
final class KeptLog {
    private KeptLog() {}

    static void setAside(Path log) {
        try {
            if (Files.exists(log)) {
                Files.move(log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException stuck) {
            throw new ServiceFailure("cannot rename the log " + log + ": " + stuck, stuck);
        }
    }

    static long length(Path log) {
        try {
            return Files.exists(log) ? Files.size(log) : 0;
        } catch (IOException unreadable) {
            return 0;
        }
    }
}
