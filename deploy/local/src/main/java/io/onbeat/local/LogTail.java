package io.onbeat.local;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The last lines of a log file, to be quoted in an error; stack frames are left out, since they would crowd out the reason. */
final class LogTail {
    private static final int BYTES = 16_384;

    private LogTail() {}

    static String of(Path log, long from, int lines) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(Math.min(file.length(), Math.max(from, file.length() - BYTES)));
            byte[] end = new byte[(int) (file.length() - file.getFilePointer())];
            file.readFully(end);
            List<String> all = new String(end, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("\tat "))
                    .toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (IOException unreadable) {
            return "(no log: " + unreadable.getMessage() + ")";
        }
    }
}
