package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

/** What became of the fire times of schedules that fire every second. */
final class EverySecond {
    private final Books books;

    EverySecond(Books books) {
        this.books = books;
    }

    /** Takes all schedules away, so that what was due is judged, and waits until no run of them is left to do. */
    void end(Cluster cluster) {
        cluster.schedules("schedules: {}");
        books.await("select count(*) = 0 from schedule where removed_at is null");
        books.await("select count(*) = 0 from run where open");
    }

    /** Every second from the schedule's first run to its end is one run, executed once and not before, or in one skip. */
    void isAccountedFor(String schedule) {
        assertThat(books.texts("""
                        select due || ' is ' || runs + ranges || ' times' from (
                            select due,
                                (select count(*) from run where schedule = name and fire_at = due) as runs,
                                (select count(*) from skip
                                 where schedule_id = id and due between first and last) as ranges
                            from schedule, generate_series(
                                (select min(fire_at) from run where schedule = name), watermark, interval '1 s') as due
                            where name = ?) as fire
                        where runs + ranges <> 1""", schedule)).as("fire times of " + schedule).isEmpty();
        ranOnce(schedule);
    }

    /** Every run of the schedule was executed once, and not before its fire time. */
    void ranOnce(String schedule) {
        assertThat(books.texts("""
                        select concat_ws(' ', key, state, 'attempt', attempt, 'queued', queued_at, 'executed', executions)
                        from (select *, (select count(*) from verify.execution where run_key = key) as executions
                              from run where schedule = ?) as run
                        where state <> 'succeeded' or attempt <> 1 or queued_at < fire_at or executions <> 1""", schedule)).as("runs of " + schedule).isEmpty();
    }

    long skips(String schedule) {
        return books.number(
                "select coalesce(sum(count), 0) from skip join schedule on schedule.id = schedule_id where name = ?",
                schedule);
    }
}
