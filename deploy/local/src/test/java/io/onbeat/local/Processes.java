package io.onbeat.local;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The processes below one, followed while its guards would hide them. */
final class Processes {
    private Processes() {}

    static Set<ProcessHandle> below(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .collect(Collectors.toSet());
    }

    static Stream<ProcessHandle> living(Set<ProcessHandle> processes) {
        return processes.stream().filter(Living::is);
    }

    static boolean runs(Set<ProcessHandle> processes, String program) {
        return living(processes)
                .map(process -> process.info().command())
                .flatMap(Optional::stream)
                .anyMatch(command -> command.endsWith(program));
    }
}
