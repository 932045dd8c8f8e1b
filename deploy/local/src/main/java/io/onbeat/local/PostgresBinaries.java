package io.onbeat.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import org.tukaani.xz.XZInputStream;

/** The PostgreSQL programs from the class path, unpacked once into a cache folder. */
final class PostgresBinaries {
    private PostgresBinaries() {}

    /** The folder with {@code bin/postgres} in it; safe beside other processes that unpack, and after one that died half-way. */
    static synchronized Path unpacked(Path cache) {
        URL archive = archive();
        try {
            Files.createDirectories(cache);
            Path target = cache.resolve("postgres-" + checksum(archive));
            if (Files.isDirectory(target)) {
                return target;
            }
            try (FileChannel channel = FileChannel.open(
                            cache.resolve("postgres.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var alone = channel.lock()) {
                if (alone.isValid() && !Files.isDirectory(target)) {
                    Path half = target.resolveSibling(target.getFileName() + ".half");
                    DataFolder.delete(half);
                    unpack(archive, Files.createDirectory(half));
                    Files.move(half, target, StandardCopyOption.ATOMIC_MOVE);
                }
            }
            return target;
        } catch (IOException failed) {
            throw new ServiceFailure("cannot unpack PostgreSQL into " + cache + ": " + failed, failed);
        }
    }

    private static URL archive() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String machine = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
        String name = "postgres-" + system + "-" + machine + ".txz";
        URL archive = PostgresBinaries.class.getClassLoader().getResource(name);
        if (archive == null) {
            throw new ServiceFailure("no PostgreSQL for this machine (" + name
                    + " is not on the class path): set ONBEAT_DATABASE_URL, ONBEAT_DATABASE_USER and"
                    + " ONBEAT_DATABASE_PASSWORD to use a server of your own");
        }
        return archive;
    }

    private static String checksum(URL archive) throws IOException {
        CRC32 sum = new CRC32();
        try (InputStream in = archive.openStream()) {
            sum.update(in.readAllBytes());
        }
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    /** Decompresses here, since small systems have tar but no xz. */
    private static void unpack(URL archive, Path into) throws IOException {
        Process tar = new ProcessBuilder(List.of("tar", "-x", "-f", "-", "-C", into.toString()))
                .redirectErrorStream(true)
                .start();
        try (InputStream in = new XZInputStream(archive.openStream());
                OutputStream out = tar.getOutputStream()) {
            in.transferTo(out);
        }
        String said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (tar.waitFor() != 0) {
                throw new IOException("tar: " + said.strip());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted while unpacking"));
        }
    }
}
