package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FireTimesTableTest {
    static Stream<FireTimeCase> cases() {
        return FireTimeCase.all();
    }

    @Test
    void theTableHasAllItsRows() {
        assertThat(cases()).hasSize(304);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyPinnedCaseHolds(FireTimeCase row) {
        assertThat(row.answer()).isEqualTo(row.expected());
    }

    @ParameterizedTest
    @MethodSource("rejected")
    void aRejectionQuotesTheTextInOneLine(FireTimeCase row) {
        String message =
                catchThrowableOfType(InvalidSchedule.class, row::fireTimes).getMessage();
        assertThat(message).doesNotContain("\n").contains("\"").contains(":");
    }

    static Stream<FireTimeCase> rejected() {
        return FireTimeCase.all().filter(row -> row.expected().equals("error"));
    }
}
