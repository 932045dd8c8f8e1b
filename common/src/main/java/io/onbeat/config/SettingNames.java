package io.onbeat.config;

import java.util.Set;

/**
 * Every setting that a process of Onbeat reads. Beat, workers and command line may be given one and the same environment,
 * so a setting of another process is no mistake; a name that none of them reads is one.
 */
public final class SettingNames {
    /** {@code ONBEAT_DATASOURCE_NAME_URL}, and so on: the names in between are the user's. */
    public static final String DATASOURCE = "ONBEAT_DATASOURCE_";

    public static final Set<String> ALL = Set.of(
            "ONBEAT_CONFIG",
            "ONBEAT_LOG_LEVEL",
            "ONBEAT_NAMESPACE",
            "ONBEAT_DATABASE_URL",
            "ONBEAT_DATABASE_USER",
            "ONBEAT_DATABASE_PASSWORD",
            "ONBEAT_DATABASE_PASSWORD_FILE",
            "ONBEAT_DATABASE_POOL",
            "ONBEAT_AMQP_URL",
            "ONBEAT_AMQP_USER",
            "ONBEAT_AMQP_PASSWORD",
            "ONBEAT_AMQP_PASSWORD_FILE",
            "ONBEAT_MANAGEMENT_URL",
            "ONBEAT_HTTP_HOST",
            "ONBEAT_HTTP_PORT",
            "ONBEAT_BEAT_URL",
            "ONBEAT_SCHEDULES",
            "ONBEAT_BEAT_ID",
            "ONBEAT_LEADER_LEASE",
            "ONBEAT_LEADER_RENEW",
            "ONBEAT_RETENTION",
            "ONBEAT_QUEUES",
            "ONBEAT_PREFETCH",
            "ONBEAT_WORKER_ID",
            "ONBEAT_DRAIN",
            "ONBEAT_LOCK_URL",
            "ONBEAT_LOCK_PASSWORD",
            "ONBEAT_LOCK_PASSWORD_FILE",
            "ONBEAT_LEASE",
            "ONBEAT_LEASE_RENEW",
            "ONBEAT_ACK_HANDOVER",
            "ONBEAT_TASKS_DIR",
            "ONBEAT_ALLOWED_TASKS",
            "ONBEAT_VIRTUAL_THREADS",
            "ONBEAT_DATASOURCE_POOL",
            "ONBEAT_LOCAL_RABBITMQ");

    /** What a program of a run finds in its environment, and may hand on to Onbeat's command line. */
    private static final Set<String> OF_A_RUN = Set.of(
            "ONBEAT_RUN_KEY",
            "ONBEAT_RUN_FILE",
            "ONBEAT_WORK_DIR",
            "ONBEAT_FIRE_AT",
            "ONBEAT_ATTEMPT",
            "ONBEAT_SCHEDULE",
            "ONBEAT_TASK",
            "ONBEAT_ARGS",
            "ONBEAT_EXEC_ID",
            "ONBEAT_HOLD_ID",
            "ONBEAT_ONCE_KEY",
            "ONBEAT_ONCE_START",
            "ONBEAT_LOCK",
            "ONBEAT_LOCK_TOKEN",
            "ONBEAT_COMMAND");

    private SettingNames() {}

    static boolean known(String name) {
        return ALL.contains(name) || OF_A_RUN.contains(name) || name.startsWith(DATASOURCE);
    }
}
