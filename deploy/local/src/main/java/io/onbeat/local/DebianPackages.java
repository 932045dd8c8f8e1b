package io.onbeat.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Programs that tests need and the project does not bring: found on this machine, or installed where that is allowed. */
public final class DebianPackages {
    private static final String INSTALL = Resource.text("install-package.sh");

    private DebianPackages() {}

    /**
     * Where the program is.
     *
     * @param packages what to install where it is missing
     * @throws ServiceFailure when it is missing and cannot be installed
     */
    public static Path program(String program, String... packages) {
        return Shell.find(program).orElseGet(() -> {
            install(packages);
            return Shell.find(program)
                    .orElseThrow(() -> new ServiceFailure(String.join(" ", packages) + " brought no " + program));
        });
    }

    /**
     * Installs the packages; those that are there already cost nothing.
     *
     * @throws ServiceFailure when they cannot be installed
     */
    public static void install(String... packages) {
        String names = String.join(" ", packages);
        List<String> installed = new ArrayList<>(List.of("dpkg", "-s"));
        installed.addAll(List.of(packages));
        if (Shell.run(installed).ok()) {
            return;
        }
        if (Shell.find("apt-get").isEmpty()) {
            throw new ServiceFailure("this needs what Debian has as " + names + ": install it");
        }
        List<String> command = new ArrayList<>(asRoot().orElseThrow(() ->
                new ServiceFailure("this needs " + names + ": install it (sudo apt-get install " + names + ")")));
        System.out.println("installing " + names + " with apt-get");
        command.addAll(List.of("sh", "-c", INSTALL, "install"));
        command.addAll(List.of(packages));
        int code = Shell.runVisibly(command);
        if (code != 0) {
            throw new ServiceFailure("apt-get could not install " + names + " (exit " + code + ")");
        }
    }

    /** The words before a command that needs root; empty where this user may not be it. */
    static Optional<List<String>> asRoot() {
        if (Shell.isRoot()) {
            return Optional.of(List.of());
        }
        boolean sudo = Shell.run(List.of("sudo", "-n", "true")).ok();
        return sudo ? Optional.of(List.of("sudo", "-n")) : Optional.empty();
    }
}
