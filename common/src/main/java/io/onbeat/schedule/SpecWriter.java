package io.onbeat.schedule;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Writes a schedule with the keys that its file has, in a fixed order; of those without a value, none. */
final class SpecWriter {
    private SpecWriter() {}

    static void schedule(JsonGenerator json, Schedule schedule) throws IOException {
        json.writeStartObject();
        timingKeys(json, schedule.timing());
        json.writeStringField("task", schedule.task());
        json.writeFieldName("args");
        json.writeRawValue(schedule.args());
        json.writeStringField("queue", schedule.queue());
        json.writeStringField("timeout", Durations.format(schedule.timeout()));
        json.writeFieldName("retry");
        retry(json, schedule.retry());
        policyKeys(json, schedule.policy());
        alertKey(json, schedule.alert());
        if (schedule.was().isPresent()) {
            json.writeStringField("was", schedule.was().get());
        }
        aboutKeys(json, schedule.about());
        json.writeEndObject();
    }

    static void timing(JsonGenerator json, Timing timing) throws IOException {
        json.writeStartObject();
        timingKeys(json, timing);
        json.writeEndObject();
    }

    static void retry(JsonGenerator json, RetryPolicy retry) throws IOException {
        json.writeStartObject();
        json.writeNumberField("max_attempts", retry.maxAttempts());
        if (retry.backoff() instanceof Backoff.Ladder ladder) {
            texts(
                    json,
                    "delays",
                    ladder.delays().stream().map(Durations::format).toList());
        } else if (retry.backoff() instanceof Backoff.Exponential exponential) {
            json.writeStringField("initial", Durations.format(exponential.initial()));
            json.writeNumberField("factor", exponential.factor());
            json.writeStringField("max", Durations.format(exponential.max()));
        }
        json.writeNumberField("jitter", retry.jitter());
        json.writeEndObject();
    }

    private static void timingKeys(JsonGenerator json, Timing timing) throws IOException {
        if (timing.rule() instanceof Rule.Cron cron) {
            texts(json, "cron", cron.expressions());
        } else if (timing.rule() instanceof Rule.Every every) {
            json.writeStringField("every", Durations.format(every.period()));
        } else if (timing.rule() instanceof Rule.At at) {
            json.writeStringField("at", at.instant().toString());
        }
        json.writeStringField("timezone", timing.zone().getId());
        if (timing.from().isPresent()) {
            json.writeStringField("from", timing.from().get().toString());
        }
        if (timing.until().isPresent()) {
            json.writeStringField("until", timing.until().get().toString());
        }
        json.writeBooleanField("enabled", timing.enabled());
    }

    private static void policyKeys(JsonGenerator json, Policy policy) throws IOException {
        word(json, "catch_up", policy.catchUp());
        duration(json, "catch_up_window", policy.catchUpWindow());
        duration(json, "misfire_grace", policy.misfireGrace());
        word(json, "overlap", policy.overlap());
        if (policy.uniqueBy().isPresent()) {
            word(json, "unique_by", policy.uniqueBy().get());
        }
        if (!policy.except().isEmpty()) {
            json.writeObjectFieldStart("except");
            for (Calendar calendar : policy.except().calendars()) {
                texts(
                        json,
                        calendar.name(),
                        calendar.ranges().stream().map(DateRange::toString).toList());
            }
            json.writeEndObject();
        }
        if (!policy.jitter().most().isZero()) {
            duration(json, "jitter", policy.jitter().most());
        }
        if (policy.expires().isPresent()) {
            duration(json, "expires", policy.expires().get());
        }
    }

    private static void alertKey(JsonGenerator json, Alert alert) throws IOException {
        if (alert.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart("alert");
        if (alert.lateAfter().isPresent()) {
            duration(json, "late_after", alert.lateAfter().get());
        }
        if (alert.failures().isPresent()) {
            json.writeNumberField("failures", alert.failures().get());
        }
        json.writeEndObject();
    }

    private static void aboutKeys(JsonGenerator json, About about) throws IOException {
        json.writeStringField("description", about.description());
        json.writeStringField("owner", about.owner());
        texts(json, "tags", about.tags());
    }

    private static void texts(JsonGenerator json, String key, List<String> values) throws IOException {
        json.writeArrayFieldStart(key);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    private static void word(JsonGenerator json, String key, Enum<?> value) throws IOException {
        json.writeStringField(key, Words.of(value));
    }

    private static void duration(JsonGenerator json, String key, Duration value) throws IOException {
        json.writeStringField(key, Durations.format(value));
    }
}
