package io.onbeat.verify.faults.check;

import io.onbeat.ledger.Sql;
import io.onbeat.schedule.RetryPolicy;
import io.onbeat.verify.system.Books;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A failed run waits for as long as its retry policy says, or its task asked for. */
final class Delays {
    static final String SENTENCE = "the next attempt is due after the whole delay";

    private Delays() {}

    private record Retry(String key, int attempt, int failures, Instant at, Instant due, String policy, String later) {
        boolean tooSoon() {
            return due.isBefore(at.plus(delay()));
        }

        Duration delay() {
            return Optional.ofNullable(later)
                    .map(millis -> Duration.ofMillis(Long.parseLong(millis)))
                    .orElseGet(() -> RetryPolicy.fromJson(policy).delay(failures));
        }
    }

    static List<Violation> check(Books books) throws SQLException {
        try (Connection connection = books.ledger().connection()) {
            return Sql.list(
                            connection,
                            """
                            select step.key, step.attempt, step.failures, step.at, step.due, run.retry,
                                   case step.error_class when 'io.onbeat.task.RetryLater'
                                   then coalesce(run.args ->> 'later', '0') end as later
                            from verify.run_journal as step join run on run.id = step.run_id
                            where step.state = 'retrying' and step.was = 'running' order by step.id""",
                            row -> new Retry(
                                    row.getString("key"),
                                    row.getInt("attempt"),
                                    row.getInt("failures"),
                                    Sql.instant(row, "at"),
                                    Sql.instant(row, "due"),
                                    row.getString("retry"),
                                    row.getString("later")))
                    .stream()
                    .filter(Retry::tooSoon)
                    .map(retry -> new Violation(
                            SENTENCE,
                            retry.key + " failed attempt " + retry.attempt + " at " + retry.at
                                    + ", and the next is due at " + retry.due + ", not " + retry.delay() + " later"))
                    .toList();
        }
    }
}
