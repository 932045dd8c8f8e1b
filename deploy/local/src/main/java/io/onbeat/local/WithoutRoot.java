package io.onbeat.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** PostgreSQL refuses to run as root: for root, the words to put before its commands so that it sees another user. */
final class WithoutRoot {
    // In a user namespace without a mapping root sees itself as nobody, while its files stay its own.
    private static final List<String> NAMESPACE = List.of("unshare", "-U", "--");
    // Where namespaces are forbidden (most containers): really nobody, who may still enter root's folders.
    private static final List<String> NOBODY = List.of(
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "--inh-caps=+dac_override",
            "--ambient-caps=+dac_override",
            "--");

    private WithoutRoot() {}

    static List<String> prefix(Path postgres, Path folder) {
        if (!Shell.isRoot()) {
            return List.of();
        }
        for (List<String> prefix : List.of(NAMESPACE, NOBODY)) {
            List<String> probe = new ArrayList<>(prefix);
            probe.addAll(List.of(
                    "sh", "-c", "test -w \"$1\" && exec \"$0\" --version", postgres.toString(), folder.toString()));
            if (Shell.run(probe).ok()) {
                return prefix;
            }
        }
        throw new ServiceFailure("PostgreSQL does not run as root, and neither unshare nor setpriv works here:"
                + " run as another user, or set ONBEAT_DATABASE_URL");
    }
}
