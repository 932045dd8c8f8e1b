-- max_concurrency: how many runs of a task may run at once, on all workers together.

-- A row for each task that the schedule file limits. Invariant: at no time do more of a task's runs hold a permit than this
-- says; who gives a permit (claim), passes one on (settle) or counts them (recovery, reload) has this row's lock, and looks
-- with a statement of its own after it got it. Order of locks: leader, schedule rows by id, these by task, run rows by id,
-- permit rows. Nobody who holds a run's row waits for a lock that stands before it in this order.
create table task_limit (
    task            text collate "C" primary key,
    max_concurrency int  not null check (max_concurrency > 0)
);

-- The runs of limited tasks that want a permit. A row counts as held only while its run is running under its token: so the end
-- of an attempt, however it ends, gives the permit back in the same instant, and a row that is left over harms nobody.
--   token                   holds one
--   called_until, no token  was queued to take the permit that became free; until then others of its queue leave it alone
--   neither                 its run is waiting
create table permit (
    run_id       bigint      primary key,      -- run.id, without a foreign key: retention pays nothing for it
    task         text        collate "C" not null,
    queue        text        collate "C" not null,
    fire_at      timestamptz not null,
    token        uuid,
    called_until timestamptz
) with (fillfactor = 70);
create index permit_line on permit (task, queue, fire_at, run_id);
create index permit_taken on permit (task) where token is not null or called_until is not null;

-- What a waiting run waits for: a permit of its task, else (overlap: queue) the end of the runs before it.
alter table run add column for_permit boolean not null default false;
