package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.onbeat.config.ConfigurationErrors;
import io.onbeat.config.SettingNames;
import io.onbeat.config.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerSettingsTest {
    @Test
    void withoutAnySettingAWorkerHasItsDefaults() {
        WorkerSettings settings = read(Map.of());

        assertThat(settings.queues()).isEqualTo(Map.of("default", 64));
        assertThat(settings.drain()).isEqualTo(Duration.ofSeconds(25));
        assertThat(settings.leases())
                .isEqualTo(new LeaseSettings(Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofMinutes(10)));
        assertThat(settings.tasks().allowed()).containsExactly("*");
        assertThat(settings.httpPort()).isEqualTo(8081);
        assertThat(settings.id()).isEqualTo("me");
    }

    @Test
    void fewSlotsKeepFewMessagesFromOtherWorkers() {
        WorkerSettings settings = read(Map.of("ONBEAT_QUEUES", "slow:4, reports:20,default:64"));

        assertThat(settings.prefetchFor("slow")).isEqualTo(20);
        assertThat(settings.prefetchFor("reports")).isEqualTo(40);
        assertThat(settings.prefetchFor("default")).isEqualTo(256);
        assertThat(read(Map.of("ONBEAT_PREFETCH", "7")).prefetchFor("default")).isEqualTo(7);
    }

    @Test
    void dataSourcesAreReadByName() {
        WorkerSettings settings = read(Map.of(
                "ONBEAT_DATASOURCE_INVOICES_URL", "jdbc:postgresql://db/invoices",
                "ONBEAT_DATASOURCE_INVOICES_USER", "reader",
                "ONBEAT_DATASOURCE_INVOICES_PASSWORD", "hush",
                "ONBEAT_DATASOURCE_POOL", "3"));

        assertThat(settings.tasks().dataSources()).containsOnlyKeys("invoices");
        assertThat(settings.tasks().poolSize()).isEqualTo(3);
        assertThat(settings.toString()).doesNotContain("hush");
    }

    @Test
    void everyWrongSettingIsNamedWithItsValueAllAtOnce() {
        Map<String, String> wrong = new HashMap<>();
        wrong.put("ONBEAT_QUEUES", "default");
        wrong.put("ONBEAT_PREFETCH", "none");
        wrong.put("ONBEAT_WORKER_ID", "a b");
        wrong.put("ONBEAT_DRAIN", "soon");
        wrong.put("ONBEAT_LEASE", "10s");
        wrong.put("ONBEAT_LEASE_RENEW", "5s");
        wrong.put("ONBEAT_ACK_HANDOVER", "1ms");
        wrong.put("ONBEAT_TASKS_DIR", "/no/such/folder");
        wrong.put("ONBEAT_VIRTUAL_THREADS", "yes");
        wrong.put("ONBEAT_DATASOURCE_POOL", "0");
        wrong.put("ONBEAT_DATASOURCE_A_URL", "jdbc:postgresql://db/a?password=hush");
        wrong.put("ONBEAT_DATASOURCE_B_USER", "me");
        wrong.put("ONBEAT_DATASOURCE_LEDGER_URL", "jdbc:postgresql://db/a");
        wrong.put("ONBEAT_HTTP_PORT", "80810");

        ConfigurationErrors errors = catchThrowableOfType(ConfigurationErrors.class, () -> read(wrong));

        List<String> named = errors.problems().stream()
                .map(problem -> problem.split(" ")[0])
                .sorted()
                .toList();
        wrong.remove("ONBEAT_LEASE");
        assertThat(named)
                .containsExactlyElementsOf(wrong.keySet().stream().sorted().toList());
        assertThat(errors.getMessage()).contains("/no/such/folder").doesNotContain("hush");
    }

    @Test
    void queuesAreCheckedOneByOne() {
        assertThat(problem("default:0")).contains("gives 0 slots");
        assertThat(problem("a:1,a:2")).contains("names the queue a twice");
        assertThat(problem("a b:1")).contains("\"a b\" is not a valid name");
    }

    @Test
    void everySettingIsKnownToEveryProcess() {
        assertThat(SettingNames.ALL).containsAll(WorkerSettingNames.DEFAULTS.keySet());
    }

    private static String problem(String queues) {
        return catchThrowableOfType(ConfigurationErrors.class, () -> read(Map.of("ONBEAT_QUEUES", queues)))
                .getMessage();
    }

    private static WorkerSettings read(Map<String, String> environment) {
        Settings settings = Settings.of(environment);
        WorkerSettings read = WorkerSettings.read(settings, "me");
        settings.check();
        return read;
    }
}
