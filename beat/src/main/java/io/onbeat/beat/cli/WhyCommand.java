package io.onbeat.beat.cli;

import io.onbeat.beat.fire.Why;
import io.onbeat.beat.fire.Why.Answer;
import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.RunView;
import io.onbeat.ledger.Schedules;
import io.onbeat.ledger.Skips;
import io.onbeat.schedule.Instants;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "why",
        description = "What became of a fire time: a run, a skip and its reason, or it was not due.",
        footer = {"", "Example:", "  onbeat why settle-points 2026-07-14T02:00:00Z"})
final class WhyCommand extends LedgerCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "The schedule.")
    private String name;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "INSTANT",
            description = "The fire time; the schedule's last one when absent.")
    private Optional<String> instant;

    @Override
    void run(Output output, Ledger ledger, ServerSettings servers) throws SQLException {
        Optional<Instant> asked = instant.map(text -> value("INSTANT", text, Instants::parse));
        try (Connection connection = ledger.connection()) {
            Schedules.Row row = Schedules.named(connection, List.of(name)).stream()
                    .findFirst()
                    .orElseThrow(() -> KnownSchedules.missing(ledger, name));
            Schedule spec = Schedule.fromJson(name, row.spec());
            Instant now = Ledger.now(connection);
            Instant time = asked.or(() -> Why.lastBefore(spec, now))
                    .orElseThrow(() -> new Failed(name + " has never been due"));
            Answer answer = Why.of(connection, row, spec, time, now);
            String waiting = answer instanceof Answer.Ran ran
                    ? WaitingFor.phrase(connection, ran.run())
                            .map(phrase -> " " + phrase)
                            .orElse("")
                    : "";
            output.line(name + " at " + time + ": " + text(answer) + waiting);
            output.answer(fields(time, answer).values());
        }
    }

    private String text(Answer answer) {
        if (answer instanceof Answer.Ran ran) {
            RunView run = ran.run();
            return "run " + run.key() + " "
                    + (run.state().open() ? "is " + run.state().word() : Ended.phrase(run.state()))
                    + RunFields.error(run).map(error -> ": " + error).orElse("");
        }
        if (answer instanceof Answer.Skipped skipped) {
            return "skipped (" + reason(skipped.skip()) + "), one of "
                    + skipped.skip().count() + " fires from " + skipped.skip().first() + " to "
                    + skipped.skip().last();
        }
        if (answer instanceof Answer.NotDue not) {
            return "not due"
                    + not.before().map(t -> "; the fire before is " + t).orElse("")
                    + not.after().map(t -> "; the next is " + t).orElse("");
        }
        if (answer instanceof Answer.NotYet not) {
            return "not yet"
                    + (not.paused() ? ", and the schedule is paused" : "")
                    + (not.skipped() ? ", and it will be skipped, as onbeat skip was told" : "");
        }
        if (answer instanceof Answer.NotJudged not) {
            return "due, and not judged yet: the schedule was judged up to " + not.watermark() + "; does a beat lead?";
        }
        return "no record: it was due before the schedule was known as it stands now, or longer ago than history is kept";
    }

    private static String reason(Skips.Range skip) {
        return skip.reason() == Skips.Reason.PAUSED
                ? "paused, or skipped by hand"
                : skip.reason().word();
    }

    private Fields fields(Instant time, Answer answer) {
        Fields fields = new Fields().add("schedule", name).add("fire_at", time);
        if (answer instanceof Answer.Ran ran) {
            fields.add("answer", "run")
                    .add("key", ran.run().key())
                    .add("state", ran.run().state().word());
            WaitingFor.word(ran.run()).ifPresent(word -> fields.add("waiting_for", word));
            return fields;
        }
        if (answer instanceof Answer.Skipped skipped) {
            return fields.add("answer", "skip")
                    .add("reason", skipped.skip().reason().word())
                    .add("first", skipped.skip().first())
                    .add("last", skipped.skip().last())
                    .add("count", skipped.skip().count());
        }
        if (answer instanceof Answer.NotDue) {
            return fields.add("answer", "not_due");
        }
        if (answer instanceof Answer.NotYet not) {
            return fields.add("answer", "not_yet").add("skipped_by_hand", not.skipped());
        }
        return fields.add("answer", answer instanceof Answer.NotJudged ? "not_judged" : "no_record");
    }
}
