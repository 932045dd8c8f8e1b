package io.onbeat.verify.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A minute of {@code onbeat test faults}; longer ones, and other seeds, are for the command line. */
@Order(1)
class FaultsTest {
    @Test
    @Timeout(420)
    void nothingIsLostAndNothingDoneTwiceUnderFaults() throws Exception {
        try (Campaign campaign = new Campaign(1, Duration.ofMinutes(1), EnumSet.allOf(Kind.class), System.out)) {
            Report report = campaign.run();
            report.print(System.out);
            assertThat(report.violations()).isEmpty();
        }
    }
}
