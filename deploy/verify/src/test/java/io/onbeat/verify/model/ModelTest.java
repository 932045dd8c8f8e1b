package io.onbeat.verify.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The model of fire, claim, settle, release, lease and recovery holds, and with a guard taken out it does not. */
@Timeout(900) // it is quick where it has a processor
class ModelTest {
    /** Two fires or one and a person, each with as many faults as make about half a million states at the most. */
    private static final List<String> WHOLE = List.of(
            "-DFAULTS=2",
            "-DOVERLAP_ALLOW -DFAULTS=1",
            "-DTRANSACTION -DFIRES=1 -DFAULTS=3",
            "-DPERSON -DFIRES=1 -DFAULTS=1",
            "-DPERSON -DFAULTS=0");

    @TempDir
    Path folder;

    private final Spin spin;

    ModelTest() throws IOException {
        try (InputStream model = ModelTest.class.getResourceAsStream("/model/onbeat.pml")) {
            spin = new Spin(new String(model.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void no_order_of_steps_breaks_an_invariant_and_every_step_is_reached() throws Exception {
        Set<String> unreached = new TreeSet<>();
        for (String defines : WHOLE) {
            Spin.Search search = proven(spin.search(folder, words(defines)), defines);
            if (defines.equals(WHOLE.get(0))) {
                unreached.addAll(search.unreached());
            }
            unreached.retainAll(search.unreached());
        }
        // the third row is there only where a person starts it, and then has no faults of its own
        assertThat(unreached.stream().filter(each -> !each.contains("row[2]") && !each.contains("-end-")))
                .as("statements that no order of steps reaches")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-DFAULTS=1", "-DPERSON -DFIRES=1 -DFAULTS=1"})
    void every_order_of_steps_comes_to_an_end(String defines) throws Exception {
        proven(spin.searchForCycles(folder, words(defines)), defines);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -DNO_UNIQUE_KEY -DNO_JUDGING_BEFORE -DPERSON -DFIRES=1 | one run per key
            -DNO_WATERMARK_COMPARE -DPERSON -DFIRES=1 | no fire is a run and a skip, or in two skips
            -DNO_WATERMARK_COMPARE -DNO_TERM_CHECK    | no fire is a run and a skip, or in two skips
            -DNO_JUDGING_BEFORE -DPERSON -DFAULTS=0   | every fire up to the watermark is a run or in a skip
            -DNO_OVERLAP_LOCK -DPERSON -DFIRES=1      | overlap: skip never has two active runs
            -DNO_ATTEMPT_CHECK                        | an attempt starts once
            -DNO_LEASE_TOKEN                          | only the attempt under way is settled
            -DNO_FENCE -DTRANSACTION                  | the transaction's effect happens once
            -DNO_OUTBOX                               | a dead run has its dead message
            -DNO_CONFIRM_WAIT                         | a dead run has its dead message
            -DNO_RECOVERY                             | in the end nothing is open
            """)
    void without_a_guard_its_fault_is_found(String defines, String invariant) throws Exception {
        Spin.Search search = spin.search(folder, words(defines));
        assertThat(search.errors()).as(search.output()).isEqualTo(1);
        assertThat(spin.violated(search, words(defines))).isEqualTo(invariant);
        System.out.printf(Locale.ROOT, "model %s: found: %s%n", defines, invariant);
    }

    /** So it takes both of them out to see what each is for: the term alone, or the compare alone, keeps two beats apart. */
    @ParameterizedTest
    @ValueSource(strings = {"-DNO_TERM_CHECK -DFAULTS=1", "-DNO_WATERMARK_COMPARE -DFAULTS=1"})
    void the_term_and_the_watermark_cover_for_each_other_between_two_beats(String defines) throws Exception {
        proven(spin.search(folder, words(defines)), defines);
    }

    private Spin.Search proven(Spin.Search search, String defines) throws Exception {
        String failure = search.errors() == 0 ? search.output() : spin.trail(search, words(defines));
        assertThat(search.errors()).as("%s: %s", defines, failure).isZero();
        assertThat(search.complete())
                .as("%s: all was seen: %s", defines, failure)
                .isTrue();
        System.out.printf(Locale.ROOT, "model %s: %,d states, no fault%n", defines, search.states());
        return search;
    }

    private static List<String> words(String defines) {
        return List.of(defines.split(" ")).stream()
                .filter(word -> !word.isBlank())
                .collect(Collectors.toList());
    }
}
