package io.onbeat.verify.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A change of one place in one source file.
 *
 * @param file from the project's folder
 * @param before stands in it exactly once
 */
record Edit(String file, String before, String after) {

    /** @return the file's text with the change */
    String apply(Path root) {
        String text = text(root);
        int first = text.indexOf(before);
        if (first < 0 || text.indexOf(before, first + 1) >= 0) {
            throw new IllegalStateException("the text of a mutation stands "
                    + (first < 0 ? "nowhere" : "more than once") + " in " + file
                    + ", and must stand there once: give it the"
                    + " text that the guard has now:\n" + before);
        }
        return text.substring(0, first) + after + text.substring(first + before.length());
    }

    private String text(Path root) {
        try {
            return Files.readString(root.resolve(file));
        } catch (IOException unreadable) {
            throw new IllegalStateException(
                    "a mutation is of " + file + ", which cannot be read: " + unreadable, unreadable);
        }
    }
}
