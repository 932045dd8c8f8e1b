package io.onbeat.schedule;

import java.util.Optional;

/**
 * A key of the schedule file.
 *
 * @param shape what its value looks like
 * @param otherwise the value that holds where the key is absent, as YAML; empty where there is none
 * @param meaning one sentence or two for people, in Markdown
 */
record Key(String name, Shape shape, Optional<String> otherwise, boolean required, String meaning) {
    static Key of(String name, Shape shape, String meaning) {
        return new Key(name, shape, Optional.empty(), false, meaning);
    }

    Key otherwise(String yaml) {
        return new Key(name, shape, Optional.of(yaml), false, meaning);
    }

    Key mustBeThere() {
        return new Key(name, shape, Optional.empty(), true, meaning);
    }
}
