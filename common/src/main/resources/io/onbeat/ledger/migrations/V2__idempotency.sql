-- The idempotency kit: steps that are done once, locks, and rows that could not be worked off.

-- A step under a key of its own. Invariants: one row per key; finished_at is set once, by the holder of its start, and never
-- cleared; a start is taken over only from an owner that is gone: its run is no longer running under that token, or its
-- lease_until has passed.
create table once (
    key         text        collate "C" primary key,
    run_key     text        not null,        -- of the run that started it last
    holder      uuid        not null,        -- that run's lease token, or a token of its own where lease_until is set
    lease_until timestamptz,                 -- for a start outside of a run; null where the run's own lease counts
    starts      int         not null default 1,
    started_at  timestamptz not null,
    finished_at timestamptz,
    result      json
) with (fillfactor = 70);
create index once_finished on once (finished_at);

-- Tokens come from one sequence for all names, so that a row may go when its lock is released: a later token is larger.
create sequence lock_token;
create table lock (
    name        text        collate "C" primary key,
    holder      uuid        not null,        -- made by the acquirer: whoever knows it may renew and release
    owner       text        not null,        -- for people
    token       bigint      not null,
    lease_until timestamptz not null
) with (fillfactor = 50);

-- Business rows that claimRows could not work off: the last failure of each, gone with its first success.
create table row_failure (
    source      text        collate "C" not null,   -- data source and table
    row_key     text        collate "C" not null,
    run_key     text        not null,
    failures    int         not null default 1,
    failed_at   timestamptz not null,
    error       text        not null,
    primary key (source, row_key)
);
