package io.onbeat.schedule;

import java.util.regex.Pattern;

/** What schedules, tasks and queues may be called: the names become parts of keys, queues and addresses. */
public final class Names {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    /** As an editor can check it. */
    static final String PATTERN = "^" + NAME.pattern() + "$";

    private Names() {}

    /**
     * Gives the name back when it is valid.
     *
     * @throws InvalidSchedule that says what a name is made of
     */
    public static String check(String kind, String name) {
        if (NAME.matcher(name).matches()) {
            return name;
        }
        throw new InvalidSchedule(kind + " \"" + Quoted.oneLine(name)
                + "\" is not a valid name: use 1 to 100 of A-Z a-z 0-9 . _ -, the first one a letter or digit");
    }
}
