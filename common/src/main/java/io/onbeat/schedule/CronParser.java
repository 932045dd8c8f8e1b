package io.onbeat.schedule;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads a cron expression: five fields are the Unix dialect, six or seven the Quartz dialect, {@code @daily} and its like an alias. */
final class CronParser {
    private static final Map<String, String> ALIASES = Map.of(
            "@hourly", "0 * * * *",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@weekly", "0 0 * * 0",
            "@monthly", "0 0 1 * *",
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *");
    private static final BitSet ANY_YEAR = new BitSet();
    private static final int MAX_LENGTH = 1000;

    /** As an editor can check it: an alias, or 5 to 7 fields. */
    static final String PATTERN = "^\\s*(?:@[A-Za-z]+|\\S+(?:\\s+\\S+){4,6})\\s*$";

    private CronParser() {}

    static Cron parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new InvalidSchedule("cron is " + text.length() + " characters long: use at most " + MAX_LENGTH
                    + ", or a list of crons");
        }
        try {
            return parseFields(text.strip());
        } catch (InvalidSchedule e) {
            throw new InvalidSchedule("cron \"" + Quoted.oneLine(text) + "\": " + e.getMessage());
        }
    }

    private static Cron parseFields(String text) {
        if (text.startsWith("@")) {
            return parseFields(Optional.ofNullable(ALIASES.get(text.toLowerCase(Locale.ROOT)))
                    .orElseThrow(() -> new InvalidSchedule("is not one of the aliases: use @hourly, @daily, @midnight, "
                            + "@weekly, @monthly, @yearly or @annually")));
        }
        List<String> fields = List.of(text.toUpperCase(Locale.ROOT).split("\\s+"));
        return switch (fields.size()) {
            case 5 -> unix(fields);
            case 6, 7 -> quartz(fields);
            default ->
                throw new InvalidSchedule((text.isEmpty() ? "is empty" : "has " + count(fields.size()))
                        + ": use 5 (Unix: minute hour day month weekday), or 6 or 7 (Quartz: second first, year last)");
        };
    }

    private static String count(int fields) {
        return fields == 1 ? "1 field" : fields + " fields";
    }

    private static Cron unix(List<String> fields) {
        String day = fields.get(2);
        String weekday = fields.get(4);
        DayRule days = new DayRule.Days(bits(CronField.DAY_OF_MONTH, day, false));
        DayRule weekdays = new DayRule.Weekdays((int) bits(CronField.UNIX_DAY_OF_WEEK, weekday, false));
        boolean bothMustMatch = day.startsWith("*") || weekday.startsWith("*");
        return new Cron(
                1,
                bits(CronField.MINUTE, fields.get(0), false),
                bits(CronField.HOUR, fields.get(1), false),
                bothMustMatch ? new DayRule.Both(days, weekdays) : new DayRule.Either(List.of(days, weekdays)),
                bits(CronField.MONTH, fields.get(3), false),
                ANY_YEAR,
                fields.get(1).startsWith("*"));
    }

    private static Cron quartz(List<String> fields) {
        return new Cron(
                bits(CronField.SECOND, fields.get(0), true),
                bits(CronField.MINUTE, fields.get(1), true),
                bits(CronField.HOUR, fields.get(2), true),
                QuartzDays.parse(fields.get(3), fields.get(5)),
                bits(CronField.MONTH, fields.get(4), true),
                fields.size() == 7 ? values(CronField.YEAR, fields.get(6), true) : ANY_YEAR,
                fields.get(2).startsWith("*"));
    }

    private static long bits(CronField field, String text, boolean quartz) {
        return values(field, text, quartz).toLongArray()[0];
    }

    private static BitSet values(CronField field, String text, boolean quartz) {
        BitSet values = new BitSet();
        for (String item : items(field, text)) {
            field.add(item, quartz, values);
        }
        return values;
    }

    static List<String> items(CronField field, String text) {
        List<String> items = List.of(text.split(",", -1));
        if (items.contains("")) {
            throw field.invalid(text, "has an empty item: write values with one ',' between them");
        }
        return items;
    }
}
