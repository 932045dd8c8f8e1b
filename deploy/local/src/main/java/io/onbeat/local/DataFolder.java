package io.onbeat.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** A folder that belongs to one living service at a time; the operating system frees it when its owner dies. */
final class DataFolder implements AutoCloseable {
    // The system's lock is per process, and closing any channel on the file would drop it: so the folders of this
    // process are
    // told apart here, before a file is touched.
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel channel;
    private final FileLock lock;

    private DataFolder(Path path, FileChannel channel, FileLock lock) {
        this.path = path;
        this.channel = channel;
        this.lock = lock;
    }

    static DataFolder open(Path folder) {
        try {
            Files.createDirectories(folder.toAbsolutePath());
            Path path = folder.toRealPath();
            if (!HELD_HERE.add(path)) {
                throw new FolderInUse(path, "this process");
            }
            try {
                return lock(path);
            } catch (IOException | RuntimeException failed) {
                HELD_HERE.remove(path);
                throw failed;
            }
        } catch (IOException unusable) {
            throw new ServiceFailure("cannot use the folder " + folder + ": " + unusable, unusable);
        }
    }

    private static DataFolder lock(Path path) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        Path file = path.resolve("lock");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
            throw new FolderInUse(path, "process " + Files.readString(file).strip());
        }
        channel.truncate(0);
        channel.write(StandardCharsets.UTF_8.encode(ProcessHandle.current().pid() + "\n"));
        return new DataFolder(path, channel, lock);
    }

    Path path() {
        return path;
    }

    Path path(String name) {
        return path.resolve(name);
    }

    /** A generated word that stays the same as long as the folder lives; only its owner can read the file. */
    String secret(String name) {
        Path file = path(name);
        if (!Files.exists(file)) {
            byte[] random = new byte[18];
            new SecureRandom().nextBytes(random);
            writePrivately(file, HexFormat.of().formatHex(random), "rw-------");
        }
        try {
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Writes beside and moves into place, so that a crash leaves the old file or the new one. */
    static void writePrivately(Path file, String text, String permissions) {
        Set<PosixFilePermission> mode = PosixFilePermissions.fromString(permissions);
        Path beside = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.createDirectories(file.getParent());
            Files.deleteIfExists(beside);
            Files.createFile(
                    beside, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(beside, text);
            Files.setPosixFilePermissions(beside, mode);
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException stillBusy) {
            throw new UncheckedIOException(stillBusy);
        }
    }

    @Override
    public void close() {
        try {
            lock.release();
            channel.close();
        } catch (IOException alreadyClosed) {
            // then it holds nothing any more
        } finally {
            HELD_HERE.remove(path);
        }
    }
}
