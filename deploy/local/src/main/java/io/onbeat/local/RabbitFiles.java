package io.onbeat.local;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Everything that a private RabbitMQ node reads, written into its folder; nothing of the system's configuration is used. */
record RabbitFiles(DataFolder folder, RabbitOptions options, int amqp, int management, int dist, int epmd) {
    static final String USER = "onbeat";

    void write() {
        write("rabbitmq.conf", conf());
        write("advanced.config", "[{rabbit, [{quorum_tick_interval, " + options.statsEvery() + "}]}].\n");
        write("enabled_plugins", "[rabbitmq_management,rabbitmq_shovel,rabbitmq_shovel_management].\n");
        write("rabbitmq-env.conf", "");
        DataFolder.writePrivately(cookieFile(), folder.secret("cookie"), "r--------");
    }

    private void write(String name, String text) {
        DataFolder.writePrivately(folder.path(name), text, "rw-------");
    }

    private String conf() {
        return """
                listeners.tcp.1 = 127.0.0.1:%d
                num_acceptors.tcp = 2
                management.tcp.ip = 127.0.0.1
                management.tcp.port = %d
                collect_statistics_interval = %d
                default_user = %s
                default_pass = %s
                log.console = true
                log.console.level = info
                log.file = false
                disk_free_limit.absolute = 64MB
                cluster_name = onbeat
                """.formatted(amqp, management, options.statsEvery(), USER, folder.secret("password"));
    }

    private Path cookieFile() {
        return folder.path("home").resolve(".erlang.cookie");
    }

    Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.keySet().removeIf(name -> name.startsWith("RABBITMQ_") || name.startsWith("ERL_"));
        environment.remove("NOTIFY_SOCKET");
        environment.put("HOME", cookieFile().getParent().toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("ERL_EPMD_PORT", Integer.toString(epmd));
        environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        environment.put("RABBITMQ_NODENAME", "onbeat-" + folder.secret("node").substring(0, 8) + "@localhost");
        environment.put("RABBITMQ_DIST_PORT", Integer.toString(dist));
        environment.put(
                "RABBITMQ_CONF_ENV_FILE", folder.path("rabbitmq-env.conf").toString());
        environment.put("RABBITMQ_CONFIG_FILE", folder.path("rabbitmq.conf").toString());
        environment.put(
                "RABBITMQ_ADVANCED_CONFIG_FILE", folder.path("advanced.config").toString());
        environment.put(
                "RABBITMQ_ENABLED_PLUGINS_FILE", folder.path("enabled_plugins").toString());
        environment.put("RABBITMQ_MNESIA_BASE", folder.path("data").toString());
        environment.put("RABBITMQ_LOG_BASE", folder.path("log").toString());
        environment.put("RABBITMQ_LOGS", "-");
        environment.put("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", erlangArguments());
        return environment;
    }

    /** A few schedulers that do not spin: the node shares a small machine with all else. */
    private static String erlangArguments() {
        int schedulers = Math.min(4, Runtime.getRuntime().availableProcessors());
        return "-kernel inet_dist_use_interface {127,0,0,1} +S " + schedulers + ":" + schedulers
                + " +sbwt none +sbwtdcpu none +sbwtdio none";
    }
}
