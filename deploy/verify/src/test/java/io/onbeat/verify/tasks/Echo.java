package io.onbeat.verify.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/** Its result is what it was told: as a tree, and as a record. */
public final class Echo implements Task {
    /** The names are those of the test's arguments. */
    record Args(Input input) {}

    record Input(
            long big,
            long negative,
            BigInteger huge,
            String looks_like,
            String text,
            String empty,
            String blank,
            String none,
            String word,
            Boolean no,
            List<Object> list,
            Map<String, Object> map,
            List<Object> deep) {}

    record Told(JsonNode tree, Args typed) {}

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public Object run(TaskContext context) {
        return new Told(context.args(), context.args(Args.class));
    }
}
