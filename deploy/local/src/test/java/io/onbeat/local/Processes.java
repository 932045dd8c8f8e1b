package io.onbeat.local;

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
        return living(processes).map(ProcessHandle::info).anyMatch(info -> isOf(info, program));
    }

    // a program that brings its own C library is an argument of that library's loader
    private static boolean isOf(ProcessHandle.Info info, String program) {
        return info.command().filter(command -> command.endsWith(program)).isPresent()
                || Stream.of(info.arguments().orElse(new String[0]))
                        .anyMatch(argument -> argument.endsWith(program + ".elf"));
    }
}
