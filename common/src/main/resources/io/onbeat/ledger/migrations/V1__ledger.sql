-- The ledger. Flyway creates it in the schema that the namespace names; every name below resolves there.

-- "Now" for every lease, delay and watermark: the database's own clock, read in this one place. Tests replace the body.
create function clock() returns timestamptz language sql stable parallel safe
    as $$ select statement_timestamp() $$;

create type run_state as enum
    ('waiting', 'queued', 'running', 'retrying', 'succeeded', 'skipped', 'dead', 'cancelled', 'expired');

-- One row. A term is never used twice, so a beat that compares its term cannot act on a lease it has lost.
create table leader (
    name        text        primary key,
    owner       text        not null,
    term        bigint      not null,
    lease_until timestamptz not null
);

-- Invariant: watermark never falls (the trigger below), and every fire time at or before it is a run or part of a skip.
create table schedule (
    id         int         generated always as identity primary key,
    name       text        collate "C" not null unique,
    spec       json        not null,
    hash       text        not null,
    rule_hash  text        not null,
    watermark  timestamptz not null,
    skip_id    bigint,                -- the skip that the last judged fire belongs to; null where it became a run
    paused_at  timestamptz,           -- its due fires become skips from here on
    skip_to    timestamptz,           -- fire times up to here become skips, by hand
    revision   int         not null default 0,   -- grows with every change by hand; a judgement made before one is void
    removed_at timestamptz
) with (fillfactor = 50);

create function watermark_never_falls() returns trigger language plpgsql as $$
begin
    raise exception 'the watermark of % would fall from % to %', old.name, old.watermark, new.watermark;
end $$;
create trigger watermark_never_falls before update on schedule
    for each row when (new.watermark < old.watermark) execute function watermark_never_falls();

-- Invariants: one row per run key. attempt grows with every claim and never falls. open is cleared once, when the run
-- ends, and set again only by a replay. lease_token stays after the settle, so that a repeated settle gets the same answer.
-- No index on a column that changes with claim or settle: those updates must stay in their page (HOT).
-- schedule_id has no foreign key: whoever writes a run holds the lock of its schedule's row, and rows of schedules are kept,
-- while a check per run was a fifth of all that the database had to do for it.
create table run (
    id               bigint      generated always as identity primary key,
    key              text        collate "C" not null unique,
    schedule_id      int,                  -- schedule.id
    schedule         text        collate "C",
    task             text        not null,
    queue            text        not null,
    origin           text        not null check (origin in ('schedule', 'manual', 'backfill', 'outside')),
    fire_at          timestamptz not null,
    args             json,
    timeout_ms       bigint      not null,
    serial           boolean     not null default false,   -- overlap: queue; the next waiting run of its schedule follows it
    retry            json,
    max_attempts     int         not null,
    state            run_state   not null,
    open             boolean     not null default true,
    attempt          int         not null default 0,
    failures         int         not null default 0,
    next_attempt_at  timestamptz,
    expires_at       timestamptz,
    cancel_requested boolean     not null default false,
    lease_token      uuid,
    lease_owner      text,
    lease_until      timestamptz,
    queued_at        timestamptz not null,
    started_at       timestamptz,
    finished_at      timestamptz,
    republish_at     timestamptz,
    republished      smallint    not null default 0,
    error_class      text,
    error_message    text,
    result           json,
    trace_id         text
) with (fillfactor = 70);
create index run_open on run (schedule_id) where open;

-- A failed attempt, with its stack trace; one row for each of a run's failures.
create table attempt (
    run_id        bigint      not null references run on delete cascade,
    attempt       int         not null,
    outcome       text        not null check (outcome in ('failed', 'timed_out', 'lost', 'cancelled')),
    worker        text,
    started_at    timestamptz,
    finished_at   timestamptz not null,
    error_class   text,
    error_message text,
    stack_trace   text,
    primary key (run_id, attempt)
);

-- Due fires that became no run, as ranges; last and count of a schedule's newest range grow while its reason goes on.
create table skip (
    id          bigint      generated always as identity primary key,
    schedule_id int         not null references schedule,
    reason      text        not null check (reason in ('missed', 'paused', 'overlap', 'excluded')),
    first       timestamptz not null,
    last        timestamptz not null,
    count       bigint      not null
);
create index skip_schedule on skip (schedule_id, first);

-- Messages that are still to be published: an entry is written in the transaction that makes its runs ready, and leaves
-- when the broker has confirmed every one of them. What is rejected stays behind in run_ids and is tried again.
create table outbox (
    id         bigint      generated always as identity primary key,
    kind       text        not null check (kind in ('task', 'dead')),
    run_ids    bigint[]    not null,
    tries      int         not null default 0,
    try_at     timestamptz not null,     -- not before: a delay, or the writer's own time to publish it
    last_error text
);

create table worker (
    id            text        primary key,
    host          text        not null,
    pid           bigint      not null,
    version       text        not null,
    queues        json        not null,     -- {"default": slots}
    tasks         json        not null,
    state         text        not null check (state in ('up', 'draining', 'stopped')),
    started_at    timestamptz not null,
    seen_at       timestamptz not null,
    running       int         not null default 0,
    claimed       bigint      not null default 0,
    succeeded     bigint      not null default 0,
    failed        bigint      not null default 0,
    duplicates    bigint      not null default 0,
    lost          bigint      not null default 0,
    claimed_up_to json        not null default '{}'   -- {"default": newest queued_at among the runs it claimed}
);

create table audit (
    id     bigint      generated always as identity primary key,
    at     timestamptz not null,
    actor  text        not null,
    action text        not null,
    target text        not null,
    detail json
);
