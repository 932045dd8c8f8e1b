package io.onbeat.verify.system;

import io.onbeat.fault.CrashPoint;
import java.util.HashMap;
import java.util.Map;

/**
 * A process that is to crash.
 *
 * @param name also its application name at the database
 */
record Victim(String name, Node node) {
    /** As a shell reports a process that kill -9 has ended. */
    static final int KILLED = 137;

    /** The settings of a process that crashes when it first passes the point. */
    static Map<String, String> crashingAt(CrashPoint point) {
        return crashingAt(point, 1);
    }

    /** @param passing from 1 */
    static Map<String, String> crashingAt(CrashPoint point, int passing) {
        return Map.of("JAVA_TOOL_OPTIONS", "-Donbeat.crash-at=" + point + "#" + passing);
    }

    /** With connections that can be told from those of other processes. */
    static Map<String, String> named(String name, Cluster cluster, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        String url = cluster.servers().database().jdbcUrl();
        all.put("ONBEAT_DATABASE_URL", url + (url.contains("?") ? "&" : "?") + "ApplicationName=" + name);
        return all;
    }

    /** Returns when the database has noticed too: nothing that it asked for is still under way. */
    void awaitNothingUnderWay(Books books) {
        books.await("select count(*) = 0 from pg_stat_activity where application_name = ?", name);
    }
}
