package io.onbeat.verify.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final Duration LENGTH = Duration.ofMinutes(3);
    private static final Set<Kind> ALL = EnumSet.allOf(Kind.class);

    @Test
    void aSeedHasOnePlanAndAnotherSeedAnother() {
        assertThat(Plan.of(7, LENGTH, ALL)).isEqualTo(Plan.of(7, LENGTH, ALL)).isNotEqualTo(Plan.of(8, LENGTH, ALL));
    }

    @Test
    void everyKindStrikesInThreeMinutes() {
        for (int seed = 0; seed < 50; seed++) {
            assertThat(Plan.of(seed, LENGTH, ALL).inOrder())
                    .as("seed " + seed)
                    .extracting(Strike::kind)
                    .containsAll(ALL);
        }
    }

    @Test
    void noPlaceHasTwoFaultsAtATimeAndAllEndInTime() {
        for (int seed = 0; seed < 50; seed++) {
            List<Strike> strikes = Plan.of(seed, LENGTH, ALL).inOrder();
            for (Strike one : strikes) {
                assertThat(end(one)).as(one.toString()).isLessThanOrEqualTo(LENGTH);
                assertThat(strikes)
                        .filteredOn(other -> other != one && other.place().equals(one.place()))
                        .allMatch(other -> end(other).compareTo(one.at()) <= 0 || end(one).compareTo(other.at()) <= 0);
            }
        }
    }

    @Test
    void aPlanOfOneKindHasThatKindOnly() {
        assertThat(Plan.of(1, LENGTH, EnumSet.of(Kind.DATABASE_CRASH)).inOrder())
                .hasSizeGreaterThan(5)
                .allMatch(strike -> strike.kind() == Kind.DATABASE_CRASH);
    }

    private static Duration end(Strike strike) {
        return strike.at().plus(strike.lasts());
    }
}
