package io.onbeat.task.test;

import io.onbeat.worker.execute.FailedRows;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The failures of one table's rows. */
final class MemoryFailedRows implements FailedRows {
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();

    @Override
    public Map<String, Integer> known() {
        return Map.copyOf(failures);
    }

    @Override
    public int add(String key, String error) {
        return failures.merge(key, 1, Integer::sum);
    }

    @Override
    public void forget(List<String> keys) {
        keys.forEach(failures::remove);
    }
}
