package io.onbeat.worker.execute;

import com.fasterxml.jackson.core.JsonProcessingException;

/** How far an attempt says it is. */
record Progress(int attempt, double fraction, String note) {
    private static final int LONGEST_NOTE = 200;

    static Progress of(int attempt, double fraction, String note) {
        double whole = Double.isNaN(fraction) ? 0 : Math.max(0, Math.min(1, fraction));
        return new Progress(attempt, whole, cut(note.replace("\0", "")));
    }

    String json() {
        try {
            return TaskJson.MAPPER.writeValueAsString(this);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String cut(String note) {
        return note.codePointCount(0, note.length()) <= LONGEST_NOTE
                ? note
                : note.substring(0, note.offsetByCodePoints(0, LONGEST_NOTE));
    }
}
