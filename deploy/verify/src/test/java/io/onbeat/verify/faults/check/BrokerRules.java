package io.onbeat.verify.faults.check;

import io.onbeat.verify.system.Books;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What must hold of the broker's queues at the end. */
final class BrokerRules {
    static final String EMPTY = "task queues and delay queues are empty at the end";
    static final String DEAD = "a dead run has its message in the dead queue";
    static final String DEAD_ONCE = "a dead run has one message in the dead queue";
    static final String DIED = "a message in the dead queue is of a run that died at that attempt";

    private BrokerRules() {}

    static List<Violation> check(Books books, Expectations expectations) {
        List<Violation> violations = new ArrayList<>();
        expectations.queues().depths().forEach((queue, depth) -> {
            if (depth > 0) {
                violations.add(new Violation(EMPTY, queue + " holds " + depth + " messages"));
            }
        });
        Map<String, Long> messages = expectations.queues().dead().stream()
                .collect(Collectors.groupingBy(
                        message -> message.runKey() + " at attempt " + message.attempt(), Collectors.counting()));
        for (String dead :
                books.texts("select key || ' at attempt ' || attempt from run where state = 'dead' order by id")) {
            long count = messages.getOrDefault(dead, 0L);
            if (count == 0 && expectations.dead() != Expectations.Dead.MAY_BE_GONE) {
                violations.add(new Violation(DEAD, dead + " has none"));
            } else if (count > 1 && expectations.dead() == Expectations.Dead.EXACTLY_ONE) {
                violations.add(new Violation(DEAD_ONCE, dead + " has " + count));
            }
        }
        Set<String> died = new HashSet<>(
                books.texts(
                        "select key || ' at attempt ' || attempt from verify.run_journal where state = 'dead' and was <> 'dead'"));
        messages.keySet().stream()
                .filter(message -> !died.contains(message))
                .forEach(message -> violations.add(new Violation(DIED, message)));
        return violations;
    }
}
