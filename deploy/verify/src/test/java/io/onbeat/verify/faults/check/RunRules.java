package io.onbeat.verify.faults.check;

import io.onbeat.verify.faults.tasks.LimitedEffect;
import java.util.List;

/** What must hold of runs, over their whole life: the journal has every step of it. */
final class RunRules {
    static final String ONE_RUN = "a run key has one run";
    static final String ONE_SUCCESS = "a run key succeeds once";
    static final String STATES = "a run moves only as the drawn states allow, and what has ended stays ended";
    static final String ATTEMPTS = "a claim raises the attempt by one, and nothing else changes it";
    static final String FAILURES = "the end of an attempt is one failure or none, and only a replay forgets them";
    static final String CAP = "a run fails no more often than max_attempts, counted anew after a replay";
    static final String RECORD = "every failure has its row in attempt";
    static final String TIME =
            "no attempt is claimed before its fire time, nor before the delay since the last is over";
    static final String LIMIT = "no more runs of a task are running than its max_concurrency says";
    static final String ALL_ENDED = "nothing is open at the end";
    static final String OUTBOX = "nothing is left in the outbox";
    static final String TERMS = "a change of leader raises the term by one, and nothing else changes it";

    static final List<Rule> ALL = List.of(
            // by the journal's order: a claim is written after the ends that it counts on
            new Rule(LIMIT, """
                    select claim.key || ' was claimed at ' || claim.at || ' beside ' || others.count || ' others'
                    from verify.run_journal as claim, lateral (
                        select count(*) from (
                            select distinct on (step.run_id) step.state
                            from verify.run_journal as step join run on run.id = step.run_id
                            where run.task = 'limited-effect' and step.id < claim.id and step.run_id <> claim.run_id
                            order by step.run_id, step.id desc) as latest
                        where state = 'running') as others
                    where claim.state = 'running' and claim.was <> 'running' and others.count >= %d
                          and claim.run_id in (select id from run where task = 'limited-effect')
                    order by claim.id""".formatted(LimitedEffect.MOST_AT_ONCE)),
            new Rule(ONE_RUN, "select key || ' has ' || count(*) from run group by key having count(*) > 1"),
            new Rule(ONE_SUCCESS, """
                    select key || ' succeeded ' || count(*) || ' times' from verify.run_journal
                    where state = 'succeeded' and was <> 'succeeded' group by key having count(*) > 1"""),
            new Rule(STATES, """
                    select key || ' went from ' || coalesce(was::text, 'nothing') || ' to ' || state || ' at ' || at
                    from verify.run_journal
                    where not case
                        when was is null then state in ('waiting', 'queued')
                        when was = 'waiting' then state in ('queued', 'expired', 'cancelled')
                        when was in ('queued', 'retrying') and state = 'waiting'
                        then run_id in (select id from run where task = 'limited-effect')
                        when was = 'queued' then state in ('running', 'expired', 'cancelled')
                        when was = 'retrying' then state in ('running', 'cancelled')
                        when was = 'running' and state = 'running' then attempt = attempt_was and token = token_was
                        when was = 'running' then state <> 'waiting' and state <> 'expired'
                        when was = 'dead' then state in ('queued', 'waiting', 'cancelled')
                        else false end
                    order by id"""),
            new Rule(ATTEMPTS, """
                    select key || ' went from attempt ' || coalesce(attempt_was, 0) || ' to ' || attempt || ' when it went from '
                           || coalesce(was::text, 'nothing') || ' to ' || state || ' at ' || at
                    from verify.run_journal
                    where attempt - coalesce(attempt_was, 0) <> (was in ('queued', 'retrying') and state = 'running')::int
                    order by id"""),
            new Rule(FAILURES, """
                    select key || ' went from ' || failures_was || ' failures to ' || failures || ' when it went from '
                           || was || ' to ' || state || ' at ' || at
                    from verify.run_journal
                    where failures <> failures_was
                          and not (was = 'running' and state <> 'running' and failures = failures_was + 1)
                          and not (was = 'dead' and state in ('queued', 'waiting') and failures = 0)
                    order by id"""),
            new Rule(CAP, """
                    select run.key || ' failed ' || failed.times || ' times, of ' || run.max_attempts || ' a replay, with '
                           || replayed.times || ' replays'
                    from run,
                    lateral (select count(*) as times from attempt
                             where run_id = run.id and outcome <> 'cancelled') as failed,
                    lateral (select count(*) as times from verify.run_journal as step
                             where step.run_id = run.id and was = 'dead' and step.state in ('queued', 'waiting')) as replayed
                    where failed.times > run.max_attempts * (1 + replayed.times) or run.failures > run.max_attempts"""),
            new Rule(RECORD, """
                    select step.key || ' failed in attempt ' || step.attempt || ' at ' || step.at
                    from verify.run_journal as step left join attempt using (run_id, attempt)
                    where step.failures = step.failures_was + 1 and attempt.run_id is null"""),
            new Rule(TIME, """
                    select key || ' was claimed for attempt ' || attempt || ' at ' || at || ', and was due at '
                           || greatest(due_was, fire_at)
                    from verify.run_journal
                    where state = 'running' and was <> 'running'
                          and (at < due_was or origin = 'schedule' and at < fire_at)
                    order by id"""),
            new Rule(ALL_ENDED, """
                    select key || ' is ' || state || ', attempt ' || attempt || ' of task ' || task || ' in queue ' || queue
                    from run where open or state in ('waiting', 'queued', 'running', 'retrying') order by id"""),
            new Rule(OUTBOX, """
                    select 'a ' || kind || ' entry of ' || cardinality(run_ids) || ' runs, tried ' || tries || ' times: '
                           || coalesce(last_error, 'no error') from outbox order by id"""),
            new Rule(TERMS, """
                    select owner || ' led in term ' || term || ' after ' || owner_was || ' in term ' || term_was
                    from verify.leader_journal where term_was is not null and term <> term_was + 1 order by id"""));

    private RunRules() {}
}
