package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardedProcessTest {
    @TempDir
    Path folder;

    @Test
    void stopsWithItsSignal() throws Exception {
        GuardedProcess process =
                start("trap 'echo asked; exit 7' USR1; echo ready; while :; do sleep 0.02; done", "USR1", 10);
        await().until(() -> process.logTail(1).equals("ready"));
        process.stop();

        assertThat(process.onExit().get(5, TimeUnit.SECONDS)).isEqualTo(7);
        assertThat(process.logTail(1)).isEqualTo("asked");
    }

    @Test
    void isKilledWithItsChildrenAfterTheGrace() {
        GuardedProcess process = start("trap '' TERM; sleep 600 & echo ready; while :; do sleep 0.1; done", "TERM", 1);
        await().until(() -> process.logTail(1).equals("ready"));
        Set<ProcessHandle> below = Processes.below(process.pid());
        process.stop();

        await().untilAsserted(() -> assertThat(Processes.living(below)).isEmpty());
    }

    @Test
    void endsWhenItsGuardIsKilled() {
        GuardedProcess process = start("echo ready; exec sleep 600", "TERM", 1);
        ProcessHandle child = ProcessHandle.of(process.pid()).orElseThrow();
        child.parent().orElseThrow().destroyForcibly();
        await().until(() -> !process.isAlive());
        process.askToStop();

        await().until(() -> !Living.is(child));
    }

    @Test
    void itsLogGoesOnWhenItIsStartedAgainAndIsKeptAtANewStart() throws Exception {
        GuardedProcess first = start("echo one; exit 1", "TERM", 1);
        assertThat(first.onExit().get(30, TimeUnit.SECONDS)).isEqualTo(1);
        GuardedProcess again = GuardedProcess.startAgain(spec("echo two; exit 2", "TERM", 1));
        assertThat(again.onExit().get(30, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(folder.resolve("log")).hasContent("one\ntwo");
        assertThat(again.logTail(5)).isEqualTo("two");

        start("echo three", "TERM", 1).onExit().get(30, TimeUnit.SECONDS);
        assertThat(folder.resolve("log")).hasContent("three");
        assertThat(folder.resolve("log.1")).hasContent("one\ntwo");
    }

    @Test
    void aLeftoverIsEndedButNotAStrangerWithItsNumber() throws Exception {
        GuardedProcess process = start("echo ready; exec sleep 600", "TERM", 1);
        Path pidFile = folder.resolve("pid");
        assertThat(pidFile.toFile().setLastModified(1)).isTrue();
        GuardedProcess.endLeftover(pidFile, "TERM", Duration.ofSeconds(5));
        assertThat(process.isAlive()).isTrue();

        assertThat(pidFile.toFile().setLastModified(System.currentTimeMillis())).isTrue();
        GuardedProcess.endLeftover(pidFile, "TERM", Duration.ofSeconds(5));
        assertThat(process.onExit().get(5, TimeUnit.SECONDS)).isNotZero();
    }

    private GuardedProcess start(String script, String signal, int graceSeconds) {
        return GuardedProcess.start(spec(script, signal, graceSeconds));
    }

    private GuardedProcess.Spec spec(String script, String signal, int graceSeconds) {
        return new GuardedProcess.Spec(
                "script",
                List.of("sh", "-c", script),
                System.getenv(),
                folder.resolve("log"),
                folder.resolve("pid"),
                signal,
                Duration.ofSeconds(graceSeconds));
    }
}
