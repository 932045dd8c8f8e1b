package io.onbeat.schedule;

import java.util.List;
import java.util.stream.Collectors;

/** All that is wrong in a schedule file or a directory of them. The message has one line per problem. */
public final class ScheduleErrors extends RuntimeException {
    private final transient List<Problem> problems;

    public ScheduleErrors(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
