package io.onbeat.beat.cli;

import io.onbeat.beat.fire.RunNow;
import io.onbeat.beat.fire.RunNow.Outcome;
import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.RunView;
import io.onbeat.run.RunState;
import io.onbeat.schedule.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "trigger",
        description = "Run a schedule now, and print the run key.",
        footer = {
            "",
            "Examples:",
            "  onbeat trigger settle-points --args '{\"batch\": 10}' --wait --timeout 5m",
            "  onbeat trigger sync-orders --key order-4711"
        })
final class TriggerCommand extends LedgerCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "The schedule.")
    private String name;

    @Option(
            names = "--args",
            paramLabel = "JSON",
            description = "A JSON object in place of the schedule's args, or @FILE that holds one.")
    private Optional<String> args;

    @Option(names = "--key", paramLabel = "KEY", description = "Asking twice with the same key starts one run.")
    private Optional<String> key;

    @Option(names = "--wait", description = "Wait until the run has ended: 0 succeeded or skipped, 1 otherwise.")
    private boolean wait;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "With --wait: for how long; no limit when absent.")
    private Optional<String> timeout;

    @Override
    void run(Output output, Ledger ledger, ServerSettings servers) throws Exception {
        if (timeout.isPresent() && !wait) {
            throw new UsageError("--timeout goes with --wait only: add it");
        }
        if (key.filter(String::isBlank).isPresent()) {
            throw new UsageError(
                    "--key \"" + key.get() + "\" is empty: give it something that tells this run from others");
        }
        Optional<Duration> limit = timeout.map(text -> value("--timeout", text, Durations::parse));
        Outcome outcome = new RunNow(ledger).trigger(name, args.map(JsonArgs::read), key, actor());
        String runKey = accepted(outcome, output);
        if (wait) {
            follow(output, ledger, runKey, limit, outcome instanceof Outcome.Queued);
        } else {
            output.answer(answer(runKey, outcome));
        }
    }

    private String accepted(Outcome outcome, Output output) {
        if (outcome instanceof Outcome.Queued queued) {
            output.line(queued.key());
            output.flush();
            return queued.key();
        }
        if (outcome instanceof Outcome.AlreadyThere there) {
            output.line(alreadyThere(there.run()));
            output.flush();
            return there.run().key();
        }
        if (outcome instanceof Outcome.NoSuchSchedule none) {
            throw new UsageError(KnownSchedules.unknown(none.name(), none.names()));
        }
        if (outcome instanceof Outcome.KeyNotAllowed refused) {
            throw new UsageError("--key does not go with " + name + ": it runs once a "
                    + refused.uniqueBy().toLowerCase(Locale.ROOT) + " (unique_by), and the period is its key");
        }
        Outcome.Overlapping active = (Outcome.Overlapping) outcome;
        throw new Failed(name + " was not started: its run " + active.activeKey()
                + " is active, and the schedule allows no overlap; wait for it, or onbeat cancel it");
    }

    private static String alreadyThere(RunView run) {
        if (run.state().open()) {
            return "already there: " + run.key() + " is " + run.state().word();
        }
        String when = run.finishedAt().map(end -> " at " + Shown.second(end)).orElse("");
        String more = run.state() == RunState.DEAD ? "; onbeat dead replay " + run.key() + " runs it again" : "";
        return "already ran: " + run.key() + " " + Ended.phrase(run.state()) + when + more;
    }

    private static void follow(Output output, Ledger ledger, String key, Optional<Duration> limit, boolean queued)
            throws Exception {
        RunView run = new Ended(ledger).await(key, limit);
        output.answer(RunFields.of(run).add("queued", queued).values());
        if (run.state() != RunState.SUCCEEDED && run.state() != RunState.SKIPPED) {
            throw new Failed(key + " " + Ended.phrase(run.state())
                    + RunFields.error(run).map(error -> ": " + error).orElse("") + "; onbeat run shows all of it");
        }
        output.line(Ended.phrase(run.state())
                + run.finishedAt().map(end -> " at " + Shown.second(end)).orElse(""));
    }

    private static Object answer(String key, Outcome outcome) {
        boolean queued = outcome instanceof Outcome.Queued;
        RunState state =
                outcome instanceof Outcome.AlreadyThere there ? there.run().state() : RunState.QUEUED;
        return new Fields()
                .add("key", key)
                .add("queued", queued)
                .add("state", state.word())
                .values();
    }
}
