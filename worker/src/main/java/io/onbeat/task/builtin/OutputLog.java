package io.onbeat.task.builtin;

import java.io.IOException;
import org.slf4j.Logger;

/** The worker's log, as far as one attempt's command may fill it. */
final class OutputLog {
    static final int MOST_CHARACTERS = 1 << 20;
    // what the log puts before a line: without it, a command could fill the disk with empty lines
    private static final int PREFIX = 100;

    private final Logger logger;
    private int room = MOST_CHARACTERS;

    OutputLog(Logger logger) {
        this.logger = logger;
    }

    synchronized void line(String text) {
        if (room < 0) {
            return;
        }
        room -= text.length() + PREFIX;
        if (room < 0) {
            logger.warn("the command has written more than 1 MB of log: what else it writes is not logged");
        } else {
            logger.info("{}", text);
        }
    }

    void endedEarly(IOException why) {
        logger.debug("the command's output ended early: {}", why.getMessage());
    }
}
