package io.onbeat.metrics;

import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** Makes the registry that a process counts in and that its status server shows. */
public final class Meters {
    private Meters() {}

    public static PrometheusMeterRegistry create() {
        return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    }

    /** Adds what is worth knowing of the process itself: memory, threads, processor, uptime. */
    public static void addProcess(PrometheusMeterRegistry registry) {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }
}
