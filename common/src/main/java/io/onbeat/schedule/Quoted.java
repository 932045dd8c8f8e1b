package io.onbeat.schedule;

/** Text from a file or a command line, made fit for a message of one line. */
final class Quoted {
    private static final int LONGEST = 120;

    private Quoted() {}

    static String oneLine(String text) {
        String line = text.replaceAll("\\p{Cntrl}+", " ");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
}
