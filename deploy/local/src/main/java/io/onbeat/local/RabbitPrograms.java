package io.onbeat.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the RabbitMQ to start is: in the folder that ONBEAT_LOCAL_RABBITMQ names, else on this machine; where it has none, the
 * package is installed if that is allowed.
 */
record RabbitPrograms(Path server, Path epmd) {
    private static final String GIVEN = "ONBEAT_LOCAL_RABBITMQ";
    // Debian's /usr/sbin/rabbitmq-server changes to the system's user and folders: take the one behind it.
    private static final String[] SERVER_FOLDERS = {
        "/usr/lib/rabbitmq/bin", "/opt/homebrew/sbin", "/usr/local/sbin", "/opt/rabbitmq/sbin"
    };
    private static final String INSTALL = Resource.text("install-rabbitmq.sh");
    private static final String HOW_TO = """
            RabbitMQ is not installed on this machine. Any one of these helps:
              Debian, Ubuntu:  sudo apt-get install rabbitmq-server
              macOS:           brew install rabbitmq
              Docker:          docker run -d -p 127.0.0.1:5672:5672 -p 127.0.0.1:15672:15672 rabbitmq:4-management
                               and set ONBEAT_AMQP_URL=amqp://guest:guest@127.0.0.1:5672/
              a broker that you have: set ONBEAT_AMQP_URL=amqp://USER:PASSWORD@HOST:5672/VHOST
                               (and ONBEAT_MANAGEMENT_URL=http://HOST:15672)""";

    static RabbitPrograms findOrInstall() {
        return given(System.getenv())
                .or(RabbitPrograms::find)
                .or(RabbitPrograms::install)
                .orElseThrow(() -> new ServiceFailure(HOW_TO));
    }

    /** @throws ServiceFailure when the folder has not both programs in its {@code bin} */
    static Optional<RabbitPrograms> given(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(GIVEN))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder.strip()).toAbsolutePath().normalize())
                .map(folder -> new RabbitPrograms(program(folder, "rabbitmq-server"), program(folder, "epmd")));
    }

    private static Path program(Path folder, String name) {
        Path program = folder.resolve("bin").resolve(name);
        if (!Files.isExecutable(program)) {
            throw new ServiceFailure(GIVEN + " is " + folder + ", but there is no program " + program
                    + ": name a folder with bin/rabbitmq-server and bin/epmd");
        }
        return program;
    }

    private static Optional<RabbitPrograms> find() {
        return Shell.find("rabbitmq-server", SERVER_FOLDERS)
                .flatMap(server -> findEpmd().map(epmd -> new RabbitPrograms(server, epmd)));
    }

    private static Optional<Path> findEpmd() {
        List<String> folders = new ArrayList<>(List.of("/opt/homebrew/bin", "/usr/local/bin", "/opt/erlang/bin"));
        for (String erlang : List.of("/usr/lib/erlang", "/usr/local/lib/erlang", "/opt/homebrew/lib/erlang")) {
            folders.add(erlang + "/bin");
            try (Stream<Path> inside = Files.list(Path.of(erlang))) {
                inside.filter(folder -> folder.getFileName().toString().startsWith("erts-"))
                        .forEach(folder -> folders.add(folder + "/bin"));
            } catch (IOException notThere) {
                // not a place of this machine
            }
        }
        return Shell.find("epmd", folders.toArray(String[]::new));
    }

    private static Optional<RabbitPrograms> install() {
        Optional<List<String>> asRoot = asRoot();
        if (asRoot.isEmpty() || Shell.find("apt-get").isEmpty()) {
            return Optional.empty();
        }
        System.out.println("RabbitMQ is not installed: installing the package rabbitmq-server with apt-get");
        List<String> command = new ArrayList<>(asRoot.get());
        command.addAll(List.of("sh", "-c", INSTALL));
        int code = Shell.runVisibly(command);
        if (code != 0) {
            throw new ServiceFailure("apt-get could not install rabbitmq-server (exit " + code + ").\n" + HOW_TO);
        }
        return find();
    }

    private static Optional<List<String>> asRoot() {
        if (Shell.isRoot()) {
            return Optional.of(List.of());
        }
        boolean sudo = Shell.run(List.of("sudo", "-n", "true")).ok();
        return sudo ? Optional.of(List.of("sudo", "-n")) : Optional.empty();
    }
}
