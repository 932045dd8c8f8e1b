package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** deploy/examples/java-task: a Maven project that is no part of Onbeat's, by the command of its page. */
class JavaTaskExampleTest {
    private static final String BUILD_OF_ONBEAT = "mvn -q -DskipTests -pl worker -am package && ";

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();

    @Test
    void itsOwnMavenBuildsTheJarThatAWorkerRuns() throws Exception {
        books.execute("""
                create table cart (id bigint primary key, open boolean not null, touched_at timestamptz not null);
                insert into cart select i, true, clock() - i * interval '1 day' from generate_series(1, 40) i""");
        try (FreshClone clone = new FreshClone(cluster, "clone", "java-task")) {
            String command = clone.command("mvn");
            assertThat(command).startsWith(BUILD_OF_ONBEAT);
            // this clone has what that builds
            clone.start(command.substring(BUILD_OF_ONBEAT.length()));
            books.await(Duration.ofMinutes(4), "select count(*) > 0 from run where state = 'succeeded'");
            assertThat(clone.resolve("deploy/examples/java-task/target/close-carts.jar"))
                    .isNotEmptyFile();
            assertThat(books.text("select result->>'carts' from run where state = 'succeeded'"))
                    .isIn("10", "11");
            assertThat(books.number("select count(*) from cart where not open")).isIn(10L, 11L);
            clone.stop();
        }
    }

    /** Then what Onbeat's own build has fetched is all that it needs. */
    @Test
    void itsPluginsAreOfTheVersionsThatOnbeatBuildsWith() throws IOException {
        String own = Files.readString(pom("deploy/examples/java-task/pom.xml"));
        String onbeats = Files.readString(pom("pom.xml"));
        List<String> plugins = Pattern.compile("<artifactId>(maven-\\S+?)</artifactId>\\s*<version>(\\S+?)</version>")
                .matcher(own)
                .results()
                .map(plugin -> plugin.group(1) + " " + plugin.group(2))
                .toList();
        assertThat(plugins).hasSize(4);
        assertThat(plugins)
                .allSatisfy(plugin -> assertThat(onbeats)
                        .containsPattern("<artifactId>%s</artifactId>\\s*<version>%s</version>"
                                .formatted(plugin.split(" ")[0], Pattern.quote(plugin.split(" ")[1]))));
        String junit = Pattern.compile("<junit.version>(.*?)</junit.version>")
                .matcher(onbeats)
                .results()
                .map(version -> version.group(1))
                .findFirst()
                .orElseThrow();
        assertThat(own).contains("<version>" + junit + "</version>");
    }

    private static Path pom(String path) {
        return Processes.root().resolve(path);
    }
}
