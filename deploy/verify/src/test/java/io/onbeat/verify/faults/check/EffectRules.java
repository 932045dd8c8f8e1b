package io.onbeat.verify.faults.check;

import java.util.List;

/** What must hold of what the tasks did, against what the ledger says of their runs. */
final class EffectRules {
    static final String ONE_START = "an attempt starts once";
    static final String CLAIMED = "what starts was claimed for that attempt";
    static final String TIME = "no attempt starts before its fire time, nor before the delay since the last is over";
    static final String OWN_SUCCESS = "a run succeeds by the attempt that has its lease, after its task returned";
    static final String OWN_FAILURE = "a failure is that of the attempt that has the lease, after its task threw";
    static final String ONE_EFFECT = "the effect of a transaction stands once where its run succeeded";
    static final String NO_EFFECT = "no effect of a transaction stands where its run did not succeed";
    static final String OWN_EFFECT = "the effect of a transaction is that of the attempt that succeeded";

    static final List<Rule> ALL = List.of(
            new Rule(ONE_START, """
                    select run_key || ', attempt ' || attempt || ', started ' || count(*) || ' times, in processes '
                           || string_agg(pid::text, ', ' order by id)
                    from verify.start group by run_key, attempt having count(*) > 1"""),
            new Rule(CLAIMED, """
                    select run_key || ' started attempt ' || attempt || ' in process ' || pid || ' at ' || started_at
                    from verify.start where not exists (select from verify.run_journal as claim
                        where claim.key = start.run_key and claim.attempt = start.attempt and claim.state = 'running')
                    order by id"""),
            new Rule(TIME, """
                    select start.run_key || ' started attempt ' || start.attempt || ' at ' || start.started_at
                           || ', and was due at ' || greatest(claim.due_was, claim.fire_at)
                    from verify.start join verify.run_journal as claim
                         on claim.key = start.run_key and claim.attempt = start.attempt
                         and claim.state = 'running' and claim.was <> 'running'
                    where start.started_at < claim.due_was
                          or claim.origin = 'schedule' and start.started_at < claim.fire_at
                    order by start.id"""),
            new Rule(OWN_SUCCESS, """
                    select run.key || ' succeeded with attempt ' || run.attempt || ' at ' || run.finished_at
                           || ', whose task ended: ' || coalesce(own.finished_at::text, 'never')
                    from run left join lateral (select min(finished_at) as finished_at from verify.start
                        where run_key = run.key and start.attempt = run.attempt) as own on true
                    where run.state = 'succeeded' and run.task in ('plain-effect', 'limited-effect', 'transaction-effect')
                          and (own.finished_at is null or own.finished_at > run.finished_at)"""),
            new Rule(OWN_FAILURE, """
                    select run.key || ' failed in attempt ' || attempt.attempt || ' at ' || attempt.finished_at
                           || ', whose task ended: ' || coalesce(own.finished_at::text, 'never')
                    from attempt join run on run.id = attempt.run_id
                    left join lateral (select min(finished_at) as finished_at from verify.start
                        where run_key = run.key and start.attempt = attempt.attempt) as own on true
                    where attempt.outcome = 'failed'
                          and attempt.error_class in ('io.onbeat.verify.faults.tasks.Misfortune', 'io.onbeat.task.RetryLater')
                          and (own.finished_at is null or own.finished_at > attempt.finished_at)"""),
            new Rule(ONE_EFFECT, """
                    select run.key || ' has ' || effects.count || ' effects'
                    from run, lateral (select count(*) from verify.once where run_key = run.key) as effects
                    where run.task = 'transaction-effect' and run.state = 'succeeded' and effects.count <> 1"""),
            new Rule(NO_EFFECT, """
                    select once.run_key || ', ' || coalesce(run.state::text, 'no run') || ', has the effect of attempt '
                           || once.attempt
                    from verify.once left join run on run.key = once.run_key
                    where run.state is distinct from 'succeeded'"""),
            new Rule(OWN_EFFECT, """
                    select run.key || ' succeeded with attempt ' || run.attempt || ', and has the effect of attempt '
                           || once.attempt
                    from verify.once join run on run.key = once.run_key
                    where run.state = 'succeeded' and once.attempt <> run.attempt"""));

    private EffectRules() {}
}
