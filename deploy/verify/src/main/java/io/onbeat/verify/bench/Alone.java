package io.onbeat.verify.bench;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** One benchmark at a time: two would measure each other. The operating system lets go when this process ends. */
final class Alone implements AutoCloseable {
    private final FileChannel channel;

    private Alone(FileChannel channel) {
        this.channel = channel;
    }

    static Alone in(Path folder) {
        try {
            Files.createDirectories(folder);
            FileChannel channel =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                throw new BenchFailure("another benchmark runs in " + folder + ": wait for it, or stop it");
            }
            return new Alone(channel);
        } catch (IOException failed) {
            throw new BenchFailure("cannot use the folder " + folder + ": " + failed, failed);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException alreadyClosed) {
            // then the lock is gone as well
        }
    }
}
