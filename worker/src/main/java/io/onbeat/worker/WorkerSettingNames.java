package io.onbeat.worker;

import java.util.LinkedHashMap;
import java.util.Map;

/** The name of every setting of a worker, beside those of the two servers, and the defaults as one would write them. */
public final class WorkerSettingNames {
    public static final String QUEUES = "ONBEAT_QUEUES";
    public static final String PREFETCH = "ONBEAT_PREFETCH";
    public static final String WORKER_ID = "ONBEAT_WORKER_ID";
    public static final String DRAIN = "ONBEAT_DRAIN";
    public static final String LEASE = "ONBEAT_LEASE";
    public static final String LEASE_RENEW = "ONBEAT_LEASE_RENEW";
    public static final String ACK_HANDOVER = "ONBEAT_ACK_HANDOVER";
    public static final String TASKS_DIR = "ONBEAT_TASKS_DIR";
    public static final String ALLOWED_TASKS = "ONBEAT_ALLOWED_TASKS";
    public static final String VIRTUAL_THREADS = "ONBEAT_VIRTUAL_THREADS";
    public static final String DATASOURCE_POOL = "ONBEAT_DATASOURCE_POOL";
    public static final String HTTP_HOST = "ONBEAT_HTTP_HOST";
    public static final String HTTP_PORT = "ONBEAT_HTTP_PORT";
    public static final String LOG_LEVEL = "ONBEAT_LOG_LEVEL";

    /** Before the name of a data source, which {@code _URL}, {@code _USER} and {@code _PASSWORD} follow. */
    public static final String DATASOURCE = "ONBEAT_DATASOURCE_";

    /** By name, in the order of the reference in docs/operations.md; empty = none. */
    public static final Map<String, String> DEFAULTS = defaults();

    private WorkerSettingNames() {}

    private static Map<String, String> defaults() {
        Map<String, String> defaults = new LinkedHashMap<>();
        defaults.put(QUEUES, "default:64");
        defaults.put(PREFETCH, "");
        defaults.put(WORKER_ID, "");
        defaults.put(DRAIN, "25s");
        defaults.put(LEASE, "30s");
        defaults.put(LEASE_RENEW, "2s");
        defaults.put(ACK_HANDOVER, "10m");
        defaults.put(TASKS_DIR, "");
        defaults.put(ALLOWED_TASKS, "*");
        defaults.put(VIRTUAL_THREADS, "false");
        defaults.put(DATASOURCE_POOL, "10");
        defaults.put(HTTP_HOST, "127.0.0.1");
        defaults.put(HTTP_PORT, "8081");
        defaults.put(LOG_LEVEL, "INFO");
        return defaults;
    }
}
