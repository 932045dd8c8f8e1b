package io.onbeat.beat.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.ledger.TestLedger;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ManySchedulesTest {
    private static final int MANY = 100_000;

    private static String schedules(String argsOfOne) {
        StringBuilder yaml = new StringBuilder(MANY * 64).append("schedules:\n");
        for (int i = 0; i < MANY; i++) {
            yaml.append("  s").append(i).append(": {cron: \"").append(i % 60).append(" 3 * * *\", task: noop");
            yaml.append(i == 4_711 ? argsOfOne : "").append("}\n");
        }
        return yaml.toString();
    }

    @Test
    void a_reload_that_changes_one_of_a_hundred_thousand_touches_one() {
        try (TestLedger ledger = new TestLedger()) {
            ledger.setClock(Instant.parse("2026-07-14T12:00:00Z"));
            HandDrivenBeat beat = new HandDrivenBeat(ledger, "beat").with(schedules(""));
            beat.pass();
            assertThat(ledger.number("select count(*) from schedule")).isEqualTo(MANY);
            long before = ledger.number("select max(xmin::text::bigint) from schedule");
            beat.with(schedules(", args: {n: 1}")).pass();
            assertThat(ledger.texts("select name from schedule where xmin::text::bigint > ?", before))
                    .containsExactly("s4711");
            ledger.setClock(Instant.parse("2026-07-15T03:00:00Z"));
            assertThat(beat.pass().runs()).isEqualTo(MANY / 60 + 1);
        }
    }
}
