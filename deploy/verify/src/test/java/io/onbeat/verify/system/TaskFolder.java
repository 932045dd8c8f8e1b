package io.onbeat.verify.system;

import io.onbeat.verify.faults.tasks.LimitedEffect;
import io.onbeat.verify.faults.tasks.PlainEffect;
import io.onbeat.verify.faults.tasks.TransactionEffect;
import io.onbeat.verify.tasks.AsPlanned;
import io.onbeat.verify.tasks.ChargeInvoice;
import io.onbeat.verify.tasks.CountTill;
import io.onbeat.verify.tasks.Crowd;
import io.onbeat.verify.tasks.Echo;
import io.onbeat.verify.tasks.FailsWhileBroken;
import io.onbeat.verify.tasks.Record;
import io.onbeat.verify.tasks.RecordOnce;
import io.onbeat.verify.tasks.SettleAccount;
import io.onbeat.verify.tasks.ShipParcels;
import io.onbeat.verify.tasks.WallClock;
import io.onbeat.verify.tasks.WhileHeld;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A worker's folder of task jars: the example tasks, and the tasks of these tests. */
final class TaskFolder {
    private static final List<Class<?>> TASKS = List.of(
            Record.class,
            RecordOnce.class,
            AsPlanned.class,
            WhileHeld.class,
            FailsWhileBroken.class,
            WallClock.class,
            SettleAccount.class,
            ChargeInvoice.class,
            ShipParcels.class,
            CountTill.class,
            Echo.class,
            Crowd.class,
            PlainEffect.class,
            LimitedEffect.class,
            TransactionEffect.class);

    private TaskFolder() {}

    static void fill(Path folder) throws IOException {
        Path examples = Processes.root().resolve("deploy/examples/tasks/target/onbeat-example-tasks.jar");
        Files.copy(examples, folder.resolve(examples.getFileName()));
        try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(folder.resolve("verify-tasks.jar")))) {
            add(
                    jar,
                    "META-INF/services/io.onbeat.task.Task",
                    TASKS.stream()
                            .map(Class::getName)
                            .collect(Collectors.joining("\n"))
                            .getBytes(StandardCharsets.UTF_8));
            for (Class<?> task : List.of(Record.class, PlainEffect.class)) {
                addPackage(jar, task);
            }
        }
    }

    private static void addPackage(ZipOutputStream jar, Class<?> member) throws IOException {
        Path classes = classes();
        try (Stream<Path> files =
                Files.list(classes.resolve(member.getPackageName().replace('.', '/')))) {
            for (Path file : files.toList()) {
                add(jar, classes.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
    }

    private static void add(ZipOutputStream jar, String name, byte[] content) throws IOException {
        jar.putNextEntry(new ZipEntry(name));
        jar.write(content);
        jar.closeEntry();
    }

    private static Path classes() {
        try {
            return Path.of(Record.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
