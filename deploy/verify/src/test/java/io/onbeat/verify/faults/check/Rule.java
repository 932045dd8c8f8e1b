package io.onbeat.verify.faults.check;

import io.onbeat.verify.system.Books;
import java.util.List;

/**
 * One invariant as a query.
 *
 * @param sentence what must hold
 * @param broken SQL for what breaks it, a line of text for each; nothing where it holds
 */
record Rule(String sentence, String broken) {

    List<Violation> violations(Books books) {
        return books.texts(broken).stream()
                .map(what -> new Violation(sentence, what))
                .toList();
    }
}
