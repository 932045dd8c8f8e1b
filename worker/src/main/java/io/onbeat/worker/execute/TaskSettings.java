package io.onbeat.worker.execute;

import io.onbeat.lock.LockSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which tasks a worker has, and what they run on.
 *
 * @param folder of jars with tasks
 * @param allowed names, where {@code *} stands for every task but {@code exec}
 * @param dataSources by name
 * @param locks where the tasks' locks are kept
 * @param poolSize the most connections to each data source, and to the ledger's database for tasks
 */
public record TaskSettings(
        Optional<Path> folder,
        Set<String> allowed,
        boolean virtualThreads,
        Map<String, DatabaseSettings> dataSources,
        int poolSize,
        LockSettings locks) {

    /** A database of the tasks. */
    public record DatabaseSettings(String url, Optional<String> user, Optional<String> password) {
        @Override
        public String toString() {
            return url;
        }
    }
}
