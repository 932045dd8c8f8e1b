package io.onbeat.verify.faults;

import io.onbeat.verify.faults.check.Violation;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a test under faults comes to. */
record Report(long seed, Map<Kind, Integer> faults, List<Violation> violations, Evidence evidence) {
    private static final int SHOWN = 20;

    void print(PrintStream out) throws IOException {
        out.println();
        line(out, "seed", Long.toString(seed));
        line(
                out,
                "faults",
                faults.values().stream().mapToInt(Integer::intValue).sum() + ": "
                        + faults.entrySet().stream()
                                .map(each -> each.getKey().word() + " " + each.getValue())
                                .collect(Collectors.joining(", ")));
        line(out, "fires due", number("""
                select (select count(*) from run where origin = 'schedule') + (select coalesce(sum(count), 0) from skip)"""));
        line(out, "runs", number("select count(*) from run") + ": " + joined("""
                select state || ' ' || count(*) from run group by state order by state"""));
        line(out, "skips", number("select coalesce(sum(count), 0) from skip") + ": " + joined("""
                select reason || ' ' || sum(count) from skip group by reason order by reason"""));
        line(out, "attempts", number("select sum(attempt) from run") + "; ended without success: " + joined("""
                select outcome || ' ' || count(*) from attempt group by outcome order by outcome"""));
        line(out, "duplicates", number("select coalesce(sum(duplicates), 0) from worker") + " suppressed");
        line(out, "take-overs", number("select max(term) - 1 from leader"));
        line(
                out,
                "recoveries",
                number("select count(*) from attempt where outcome = 'lost'") + " lost leases, "
                        + number("select coalesce(sum(republished), 0) from run") + " messages published again");
        line(out, "violations", Integer.toString(violations.size()));
        for (Violation violation : violations.subList(0, Math.min(SHOWN, violations.size()))) {
            out.println("  " + violation.invariant() + "\n    but " + violation.what());
            for (String line : evidence.logLines(violation)) {
                out.println("      " + line);
            }
        }
        if (!violations.isEmpty()) {
            evidence.keep();
            if (violations.size() > SHOWN) {
                out.println("  … and " + (violations.size() - SHOWN) + " more");
            }
            out.println("Logs and ledger are in " + evidence.folder() + "; ./onbeat test faults --seed " + seed
                    + " strikes the same way again.");
        }
    }

    private static void line(PrintStream out, String name, String value) {
        out.printf("%-12s%s%n", name, value);
    }

    private String number(String sql) {
        return Long.toString(evidence.number(sql));
    }

    private String joined(String sql) {
        return String.join(", ", evidence.texts(sql));
    }
}
