package io.onbeat.task.test;

import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.task.StepWork;
import io.onbeat.worker.execute.AttemptRules;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** Steps that are done once, with their starts and finishes. */
final class MemorySteps {
    private final Map<String, Known> steps = new ConcurrentHashMap<>();

    private static final class Known {
        private final ReentrantLock atWork = new ReentrantLock();
        private int starts;
        private Optional<JsonNode> finish = Optional.empty();
    }

    /** Where another attempt is at the same step, this waits for it. */
    <T> T once(String key, Class<T> type, StepWork<T> work, AttemptRules rules) throws Exception {
        Known step = steps.computeIfAbsent(key, unknown -> new Known());
        step.atWork.lockInterruptibly();
        try {
            if (step.finish.isPresent()) {
                return AttemptRules.read(step.finish.get(), type);
            }
            T value = work.run(++step.starts);
            step.finish = Optional.of(rules.kept(value));
            return value;
        } finally {
            step.atWork.unlock();
        }
    }
}
