package io.onbeat.verify.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** deploy/verify/peers: what Onbeat is measured beside, in a project of its own. */
class PeersProjectTest {
    private final String onbeats = text("pom.xml");
    private final String own = text("deploy/verify/peers/pom.xml");

    @Test
    void it_is_no_module_of_onbeats_build() {
        assertThat(onbeats).contains("<module>deploy/verify</module>").doesNotContain("peers");
    }

    @Test
    void its_plugins_are_of_the_versions_that_onbeat_builds_with() {
        List<String[]> plugins = Pattern.compile("<artifactId>(maven-\\S+?)</artifactId>\\s*<version>(\\S+?)</version>")
                .matcher(own)
                .results()
                .map(plugin -> new String[] {plugin.group(1), plugin.group(2)})
                .toList();
        assertThat(plugins)
                .hasSize(5)
                .allSatisfy(plugin -> assertThat(onbeats)
                        .containsPattern("<artifactId>%s</artifactId>\\s*<version>%s</version>"
                                .formatted(plugin[0], Pattern.quote(plugin[1]))));
    }

    private static String text(String path) {
        try {
            return Files.readString(Folders.root().resolve(path));
        } catch (IOException missing) {
            throw new AssertionError(missing);
        }
    }
}
