package io.onbeat.schedule;

import java.time.LocalDateTime;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** A cron made together with a plain test of what it means, so that neither is read from the other. */
record RandomCron(String text, boolean everyInstant, Predicate<LocalDateTime> meaning) {
    private record Part(String text, IntPredicate meaning) {
        boolean star() {
            return text.startsWith("*");
        }
    }

    boolean matches(LocalDateTime local) {
        return meaning.test(local);
    }

    /** Unix dialect. */
    static RandomCron minutes(Random random) {
        Part minute = part(random, 0, 59, false);
        Part hour = part(random, 0, 23, false);
        Part day = random.nextInt(3) > 0 ? any() : part(random, 1, 31, false);
        Part weekday = random.nextInt(3) > 0 ? any() : part(random, 0, 6, false);
        return new RandomCron(
                String.join(" ", minute.text, hour.text, day.text, "*", weekday.text),
                hour.star(),
                local -> local.getSecond() == 0
                        && minute.meaning.test(local.getMinute())
                        && hour.meaning.test(local.getHour())
                        && unixDay(day, weekday, local));
    }

    private static boolean unixDay(Part day, Part weekday, LocalDateTime local) {
        boolean dayMatches = day.meaning.test(local.getDayOfMonth());
        boolean weekdayMatches = weekday.meaning.test(local.getDayOfWeek().getValue() % 7);
        return day.star() || weekday.star() ? dayMatches && weekdayMatches : dayMatches || weekdayMatches;
    }

    /** Quartz dialect. */
    static RandomCron seconds(Random random) {
        Part second = part(random, 0, 59, true);
        Part minute = part(random, 0, 59, true);
        Part hour = part(random, 0, 23, true);
        Part weekday = random.nextInt(3) > 0 ? any() : part(random, 1, 7, true);
        return new RandomCron(
                String.join(" ", second.text, minute.text, hour.text, "?", "*", weekday.text),
                hour.star(),
                local -> second.meaning.test(local.getSecond())
                        && minute.meaning.test(local.getMinute())
                        && hour.meaning.test(local.getHour())
                        && weekday.meaning.test(local.getDayOfWeek().getValue() % 7 + 1));
    }

    private static Part any() {
        return new Part("*", value -> true);
    }

    private static Part part(Random random, int min, int max, boolean quartz) {
        int a = min + random.nextInt(max - min + 1);
        int b = min + random.nextInt(max - min + 1);
        int low = Math.min(a, b);
        int high = Math.max(a, b);
        int step = 1 + random.nextInt(max);
        return switch (random.nextInt(quartz ? 7 : 5)) {
            case 0 -> any();
            case 1 -> new Part("*/" + step, value -> (value - min) % step == 0);
            case 2 -> new Part(low + "-" + high, value -> value >= low && value <= high);
            case 3 ->
                new Part(
                        low + "-" + high + "/" + step,
                        value -> value >= low && value <= high && (value - low) % step == 0);
            case 4 -> new Part(b + "," + a, value -> value == a || value == b);
            case 5 -> new Part(a + "/" + step, value -> value >= a && (value - a) % step == 0);
            default -> new Part(a + "-" + b, value -> a <= b ? value >= a && value <= b : value >= a || value <= b);
        };
    }
}
