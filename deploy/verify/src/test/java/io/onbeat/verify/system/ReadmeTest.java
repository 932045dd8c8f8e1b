package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.schedule.ScheduleFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the README shows works as it stands there: its commands, its schedules, its task. */
class ReadmeTest {
    /** Tried elsewhere: up by the local services' tests, the containers by their own, and this test is run by "test". */
    private static final Set<String> ELSEWHERE = Set.of("./onbeat up", "./onbeat test", "./onbeat bench throughput");

    private static final Pattern BLOCK = Pattern.compile("^```(\\w+)\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final String readme;

    ReadmeTest() throws IOException {
        readme = Files.readString(Processes.root().resolve("README.md"));
    }

    private List<String> blocks(String language) {
        List<String> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(readme);
        while (block.find()) {
            if (block.group(1).equals(language)) {
                blocks.add(block.group(2));
            }
        }
        return blocks;
    }

    @Test
    void its_commands_work_and_its_task_runs() throws Exception {
        jar(compiled(blocks("java").get(0)), cluster.folder().resolve("tasks/close-carts.jar"));
        cluster.books().execute("""
                create table public.cart (open boolean not null, touched_at timestamptz not null);
                insert into public.cart select true, now() - i * interval '1 hour' from generate_series(1, 48) as i;""");
        cluster.schedules("""
                schedules:
                  settle-points: {cron: "0 2 1 1 *", task: settle-points, args: {period: day}}
                  daily-report: {cron: "* * * * * ?", task: daily-report, unique_by: day, args: {folder: "%s"}}
                  close-carts: {cron: "0 0 2 1 1 ?", task: close-carts}
                  never-works: {cron: "0 0 3 1 1 ?", task: unheard-of, retry: {max_attempts: 1}}
                """.formatted(cluster.folder().resolve("reports")));
        cluster.startBeat();
        cluster.startWorker();
        String report = "daily-report@" + LocalDate.now(ZoneOffset.UTC);
        cluster.books().await("select count(*) = 1 from run where state = 'succeeded' and key = ?", report);
        assertThat(cluster.onbeat("trigger", "never-works", "--wait").exitCode())
                .isEqualTo(1);
        assertThat(cluster.onbeat("trigger", "close-carts", "--wait").exitCode())
                .isZero();
        assertThat(cluster.books().number("select count(*) from public.cart where open"))
                .isEqualTo(23);

        Set<String> tried = new TreeSet<>();
        for (String block : blocks("sh")) {
            for (String line : block.lines().toList()) {
                if (line.startsWith("./onbeat ") && !ELSEWHERE.contains(line)) {
                    tried.add(line);
                    String command = line.replaceAll("daily-report@\\S+", report);
                    assertThat(launch(command)).as(command).isZero();
                } else {
                    assertThat(ELSEWHERE.contains(line) || line.startsWith("docker compose "))
                            .as(line)
                            .isTrue();
                }
            }
        }
        assertThat(tried).hasSizeGreaterThan(8);
    }

    @Test
    void its_schedules_are_valid() throws IOException {
        for (String block : blocks("yaml")) {
            Path file = Files.writeString(cluster.folder().resolve("readme.yaml"), block);
            assertThat(ScheduleFile.load(file).size()).isEqualTo(3);
        }
    }

    @Test
    void its_links_lead_somewhere() {
        Matcher link = Pattern.compile("\\]\\(([^)#]+)\\)").matcher(readme);
        while (link.find()) {
            assertThat(Processes.root().resolve(link.group(1))).exists();
        }
    }

    private static int launch(String command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command)
                .directory(Processes.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(cluster.folder().resolve("launched.out").toFile());
        builder.environment().clear();
        builder.environment().putAll(Processes.environment(cluster.settings()));
        Process process = builder.start();
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException(command + " did not end in 90 s");
        }
        return process.exitValue();
    }

    private static Path compiled(String source) throws IOException {
        Path folder = Files.createDirectories(cluster.folder().resolve("readme-task"));
        Path file = Files.writeString(folder.resolve("CloseCarts.java"), source);
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-Xlint:all",
                        "-Werror",
                        "-cp",
                        classPath(),
                        "-d",
                        folder.toString(),
                        file.toString());
        assertThat(result).isZero();
        return folder;
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private static void jar(Path classes, Path jar) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, byte[]> entry : Map.of(
                            "META-INF/services/io.onbeat.task.Task",
                            "com.example.CloseCarts".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                            "com/example/CloseCarts.class",
                            Files.readAllBytes(classes.resolve("com/example/CloseCarts.class")))
                    .entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue());
                out.closeEntry();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
