package io.onbeat.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Which keys two specifications have different values for. */
final class SpecDiff {
    // 1.1 and 1.10 are two numbers to a task that is given them as text
    private static final ObjectMapper EXACT = JsonMapper.builder(Json.FACTORY)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private SpecDiff() {}

    /** In the order of the normalized specification; without {@code was}, which says what a schedule was and not what it is. */
    static List<String> keys(Schedule before, Schedule after) {
        JsonNode old = tree(before);
        JsonNode now = tree(after);
        Set<String> keys = new LinkedHashSet<>();
        now.fieldNames().forEachRemaining(keys::add);
        old.fieldNames().forEachRemaining(keys::add);
        keys.remove("was");
        return keys.stream()
                .filter(key -> !Objects.equals(old.get(key), now.get(key)))
                .toList();
    }

    private static JsonNode tree(Schedule schedule) {
        try {
            return EXACT.readTree(schedule.toJson());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a specification is JSON", e);
        }
    }
}
