package io.onbeat.verify.faults.check;

import io.onbeat.verify.system.Books;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads the whole history when all is quiet, and names every promise that it broke. */
public final class Checker {
    private final Books books;
    private final Watch watch;
    private final Expectations expectations;

    public Checker(Books books, Watch watch, Expectations expectations) {
        this.books = books;
        this.watch = watch;
        this.expectations = expectations;
    }

    public List<Violation> check() throws SQLException {
        try (Connection connection = books.ledger().connection()) {
            watch.look(connection);
        }
        List<Violation> violations = new ArrayList<>(watch.violations());
        RunRules.ALL.forEach(rule -> violations.addAll(rule.violations(books)));
        EffectRules.ALL.forEach(rule -> violations.addAll(rule.violations(books)));
        Schedules schedules = Schedules.read(books);
        violations.addAll(Fires.check(books, schedules, expectations.to()));
        violations.addAll(Overlaps.check(books, schedules));
        violations.addAll(Delays.check(books));
        violations.addAll(BrokerRules.check(books, expectations));
        return violations;
    }
}
