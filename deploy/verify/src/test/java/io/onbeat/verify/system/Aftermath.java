package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The runs of one queue whose worker has crashed: what the ledger said of them then, kept in {@code verify.at_crash} and
 * {@code verify.start_before_crash}, and what has become of them since.
 */
record Aftermath(Books books, Console console, String queue, int fires) {
    Aftermath left(String stateAndAttempt) {
        assertThat(books.texts(
                        "select state || ' ' || attempt from verify.at_crash where queue = ? group by 1 order by 1",
                        queue))
                .contains(stateAndAttempt);
        return this;
    }

    Aftermath leftOnly(String stateAndAttempt) {
        assertThat(books.texts("select distinct state || ' ' || attempt from verify.at_crash where queue = ?", queue))
                .containsExactly(stateAndAttempt);
        return this;
    }

    Aftermath started(long starts) {
        assertThat(startsBefore()).isEqualTo(starts);
        return this;
    }

    Aftermath startedAtLeast(long starts) {
        assertThat(startsBefore()).isGreaterThanOrEqualTo(starts);
        return this;
    }

    private long startsBefore() {
        return books.number("select count(*) from verify.start_before_crash where queue = ?", queue);
    }

    /** Every fire is one run, every run one success; only those that the crash left running have lost an attempt. */
    void allSucceed() {
        assertThat(books.texts("select distinct state from run where queue = ?", queue))
                .containsExactly("succeeded");
        theRunsAreThoseOfTheFires();
        assertThat(books.texts("""
                        select key from run
                        left join (select id, 1 as count from verify.at_crash where state = 'queued' and attempt > 0) as released
                             using (id)
                        cross join lateral (select count(*) from attempt where run_id = run.id) as failed
                        where queue = ? and (failures <> failed.count
                                             or run.attempt <> failed.count + coalesce(released.count, 0) + 1)""", queue))
                .as("runs with other attempts than one for each failure or release, and one that succeeded")
                .isEmpty();
        effectsAreThoseOfSuccesses();
    }

    void allDieOnceAndStartOnce() {
        assertThat(books.texts(
                        "select distinct state || ' ' || attempt || ' ' || failures from run where queue = ?", queue))
                .containsExactly("dead 1 1");
        theRunsAreThoseOfTheFires();
        String deadQueue = "onbeat.dead." + queue;
        console.awaitDepth(deadQueue, fires);
        assertThat(console.peek(deadQueue, 2 * fires).stream()
                        .map(message -> message.properties().path("message_id").asText())
                        .toList())
                .containsExactlyInAnyOrderElementsOf(books.texts("select key from run where queue = ?", queue));
    }

    private void theRunsAreThoseOfTheFires() {
        assertThat(books.number("select count(*) from run where queue = ?", queue))
                .isEqualTo(fires);
        assertThat(books.number(
                        "select count(distinct case origin when 'outside' then key else fire_at::text end) from run where queue = ?",
                        queue))
                .isEqualTo(fires);
        assertThat(books.texts(
                        "select run_id || '/' || attempt.attempt from attempt join run on run.id = run_id where outcome = 'lost' and queue = ?",
                        queue))
                .as("attempts lost")
                .containsExactlyInAnyOrderElementsOf(books.texts(
                        "select id || '/' || attempt from verify.at_crash where state = 'running' and queue = ?",
                        queue));
        assertThat(books.texts("""
                        select run_key from verify.execution join run on run.key = run_key where queue = ?
                        group by run_key, execution.attempt having count(*) > 1""", queue)).as("attempts started twice").isEmpty();
        assertThat(books.texts("""
                        select run.key from verify.at_crash join run using (id)
                        where run.queue = ? and at_crash.finished_at is not null
                              and (run.attempt <> at_crash.attempt
                                   or (select count(*) from verify.execution where run_key = run.key)
                                      <> (select count(*) from verify.start_before_crash where run_key = run.key))""", queue))
                .as("runs that went on after their end")
                .isEmpty();
        console.awaitDepth("onbeat.task." + queue, 0);
    }

    void effectsAreThoseOfSuccesses() {
        assertThat(books.texts(
                        "select run_key from verify.effect join run on run.key = run_key where queue = ?", queue))
                .as("effects of transactions")
                .containsExactlyInAnyOrderElementsOf(books.texts(
                        "select key from run where queue = ? and state = 'succeeded' and (args ->> 'outside') is null",
                        queue));
    }

    void oneAfterTheOther() {
        assertThat(books.number("""
                        select count(*) from run as a join run as b on a.queue = b.queue and a.fire_at < b.fire_at
                        where a.queue = ? and a.finished_at > b.started_at""", queue))
                .as("runs that began before an earlier one had ended")
                .isZero();
    }
}
