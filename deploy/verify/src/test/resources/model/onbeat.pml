/*
 * Fire, claim, settle, release, lease and recovery, for the model checker Spin: one schedule with two fires, two beats that may
 * both believe that they lead, two workers with one slot each, one person at the command line, and bounded bad luck: a killed
 * process, a lapsed lease, a message that the broker loses, doubles or does not confirm. Spin walks through every order in which
 * their steps can happen. The words are the ledger's columns and the code's; each step names its place in the code.
 *
 * A step is what one transaction does, or one message: "atomic" is what PostgreSQL or RabbitMQ makes so. A process may
 * stand still between two steps for as long as it likes; a frozen one needs no more than that.
 *
 * Proven where no guard is taken out, for every order of steps:
 *   - one run per key; every fire up to the watermark is a run or in one skip, never both, never neither (a person may
 *     backfill a fire that is in a skip, and no other)
 *   - an attempt starts once, attempt never falls, failures never exceed max_attempts
 *   - only the attempt that is under way is settled; a run succeeds once
 *   - what is written in the task's transaction is there once where the run succeeded, else not at all
 *   - overlap: skip never has two active runs (a dead run that a person replays stands beside the schedule's own)
 *   - every execution ends (no order of steps goes on for ever), and where it ends nothing is open, every fire is
 *     accounted for, and every dead run has its dead message
 *
 * Each guard can be taken out with -DNO_..., and ModelTest shows that the model then finds a fault. Time is not in the model:
 * a lease that lapses, a delay that passes and a queue that recovery finds to be empty are steps that happen at any time.
 * Nor are batches (each row of one is a transaction of its own here), lost answers of the ledger, cancel, expiry, and the
 * promotion that a settle does in passing (recovery's does the same later).
 */

#ifndef FIRES
#define FIRES 2
#endif
#define MANUAL (FIRES + 1)   /* the key of a run now; a fire's key is its number */
#define ROWS 3
#define MAX_ATTEMPTS 2

/* so many faults strike, each of any kind */
#ifndef FAULTS
#define FAULTS 2
#endif

mtype = { waiting, queued, running, retrying, succeeded, dead };

/* the ledger */
typedef Run {
    byte key;
    mtype state;
    byte attempt;
    byte failures;
    byte lease_token;
    bool serial;          /* runs in order, one at a time: those of a backfill */
    bool outbox;          /* an entry of kind task waits */
    bool outbox_dead;     /* an entry of kind dead waits */
    /* the broker: bit n = a message for attempt n waits in the task queue */
    byte message;
    bool dead_message;
    /* what has happened, for the assertions alone: bit n = attempt n has started */
    byte started;
    byte effects;
    byte successes;
    bool replayed;
}
Run row[ROWS];
byte rows;
byte watermark;
byte skips[FIRES + 1];
byte leader_term;
byte leader_owner;
bool lease_over = true;       /* leader.lease_until <= clock() */
byte leader_share;            /* how many transactions hold the leader row for share */
byte schedule_lock;           /* who holds the schedule's row; 0 = nobody */

/* what the processes hold in memory */
byte term[3];                 /* by beat: the term it believes to lead in; 0 = standing by */
byte in_hand[3];              /* by worker: the row it executes, plus 1 */

byte now;                     /* as many fires are due */
byte faults = FAULTS;

#define OPEN(r) (row[r].state == waiting || row[r].state == queued || row[r].state == running || row[r].state == retrying)
#define ACTIVE(r) (OPEN(r) && row[r].state != waiting)
#define ANY_OPEN (OPEN(0) || OPEN(1) || OPEN(2))
#define ANY_ACTIVE (ACTIVE(0) || ACTIVE(1) || ACTIVE(2))
#define HAS_KEY(r, k) (r < rows && row[r].key == k)
#define KEY_THERE(k) (HAS_KEY(0, k) || HAS_KEY(1, k) || HAS_KEY(2, k))
#define SERIAL(r, k) (HAS_KEY(r, k) && row[r].serial)
#define BACKFILLED(k) (SERIAL(0, k) || SERIAL(1, k) || SERIAL(2, k))
#define FIRED(k) (KEY_THERE(k) && !BACKFILLED(k) -> 1 : 0)
#define ANY_DEAD (row[0].state == dead || row[1].state == dead || row[2].state == dead)
#define OWN(r) (ACTIVE(r) && !row[r].replayed)
#define TO_START(r) (row[r].state == queued || row[r].state == retrying)
#define BIT(n) (1 << (n))
#define NEXT_MESSAGE(r) BIT(row[r].attempt + 1)

#ifdef OVERLAP_ALLOW
#define NEVER_TWO_ACTIVE true
#else
#define NEVER_TWO_ACTIVE (!(OWN(0) && OWN(1)) && !(OWN(0) && OWN(2)) && !(OWN(1) && OWN(2)))
#endif

/* Leader.confirm: for share, compared with the term */
#ifdef NO_TERM_CHECK
#define LEADS(me) true
#else
#define LEADS(me) (leader_term == term[me])
#endif

/* Schedules.advance: where schedule.watermark = judged.from_time */
#ifdef NO_WATERMARK_COMPARE
#define JUDGED_FROM(from) true
#else
#define JUDGED_FROM(from) (watermark == from)
#endif

/* Schedules.lock: for update */
#ifdef NO_OVERLAP_LOCK
#define LOCKABLE true
#else
#define LOCKABLE (schedule_lock == 0)
#endif

/* Runs.insert: on conflict (key) do nothing */
#ifdef NO_UNIQUE_KEY
#define CONFLICT(k) false
#else
#define CONFLICT(k) KEY_THERE(k)
#endif

/* Claims.grant: run.attempt = wish.attempt - 1 */
#ifdef NO_ATTEMPT_CHECK
#define NEXT_ATTEMPT(r, a) true
#else
#define NEXT_ATTEMPT(r, a) (row[r].attempt == a - 1)
#endif

/* Settlements.end: run.state = 'running' and run.lease_token = outcome.token */
#ifdef NO_LEASE_TOKEN
#define HOLDS(r, token) (row[r].state == running)
#else
#define HOLDS(r, token) (row[r].state == running && row[r].lease_token == token)
#endif

/* Leases.succeed, the last statement of a task's own transaction */
#ifdef NO_FENCE
#define FENCED(r, token) true
#else
#define FENCED(r, token) HOLDS(r, token)
#endif

inline reach_task_queue(r) { row[r].message = row[r].message | NEXT_MESSAGE(r) }

/* Outbox.add, in the transaction that makes the run ready. Without it, its writer publishes after the commit, or dies before. */
inline add_task(r) {
#ifdef NO_OUTBOX
    if
    :: reach_task_queue(r)
    :: faults > 0 -> faults--
    fi
#else
    row[r].outbox = true
#endif
}

inline add_dead(r) {
#ifdef NO_OUTBOX
    if
    :: row[r].dead_message = true
    :: faults > 0 -> faults--
    fi
#else
    row[r].outbox_dead = true
#endif
}

inline new_row(k, is_serial, first_state) {
    assert(!KEY_THERE(k));                     /* one run per key */
    row[rows].key = k;
    row[rows].serial = is_serial;
    row[rows].state = first_state;
    rows++;
    assert(NEVER_TWO_ACTIVE)                   /* overlap: skip never has two active runs */
}

/* Runs.insert */
inline insert(k, is_serial) {
    if
    :: CONFLICT(k)
    :: else -> new_row(k, is_serial, queued); add_task(rows - 1)
    fi
}

/* FireTransaction.write, for the fires after `from` up to `to`; the trigger watermark_never_falls may end it */
inline write_fires(from, to, busy) {
    if
    :: to < watermark                          /* rolled back */
    :: else ->
        watermark = to;
        f = from + 1;
        do
        :: f > to -> break
        :: else ->
            if
#ifndef OVERLAP_ALLOW
            :: busy -> skips[f]++
            :: else -> insert(f, false); busy = true
#else
            :: insert(f, false)
#endif
            fi;
            f++
        od;
        f = 1;
        do
        :: f > watermark -> break
        :: else ->
            assert(FIRED(f) + skips[f] <= 1);          /* no fire is a run and a skip, or in two skips */
            assert(FIRED(f) + skips[f] == 1);          /* every fire up to the watermark is a run or in a skip */
            f++
        od
    fi;
    f = 0
}

/* Recovery.promote, with the schedule's lock. The first row never waits. */
#define TO_PROMOTE (!ANY_ACTIVE && ANY_OPEN)
inline promote() {
    if
    :: row[1].state == waiting -> row[1].state = queued; add_task(1)
    :: row[2].state == waiting -> row[2].state = queued; add_task(2)
    fi;
    assert(NEVER_TWO_ACTIVE)                   /* overlap: skip never has two active runs */
}

/* Relay: publish, wait for the confirm, take the entry away; an entry whose run has moved on has no message */
inline relay_task(r) {
    if
    :: !TO_START(r) -> row[r].outbox = false
    :: TO_START(r) ->
        if
        :: reach_task_queue(r); row[r].outbox = false
        :: faults > 0 -> faults--; reach_task_queue(r)       /* no confirm came, or the beat died before it */
        :: faults > 0 -> faults--                            /* lost on the way, or returned */
#ifdef NO_CONFIRM_WAIT
            ; row[r].outbox = false
#endif
        fi
    fi
}

inline relay_dead(r) {
    if
    :: row[r].state != dead -> row[r].outbox_dead = false
    :: row[r].state == dead ->
        if
        :: row[r].dead_message = true; row[r].outbox_dead = false
        :: faults > 0 -> faults--; row[r].dead_message = true
        :: faults > 0 -> faults--
#ifdef NO_CONFIRM_WAIT
            ; row[r].outbox_dead = false
#endif
        fi
    fi
}

/* Settlements.settle and what follows: an outcome is discarded where another owner has the run */
inline succeeded_now() {
    row[r].state = succeeded;
    row[r].lease_token = 0;                    /* the code keeps it, for the answer to a settle that is repeated */
    row[r].successes++;
    assert(row[r].successes == 1)              /* a run succeeds once */
}

inline settle_succeeded() {
    if
    :: HOLDS(r, me) ->
        assert(row[r].attempt == a);           /* only the attempt under way is settled */
        succeeded_now()
    :: !HOLDS(r, me)
    fi
}

inline settle_failed() {
    if
    :: HOLDS(r, me) ->
        assert(row[r].attempt == a);           /* only the attempt under way is settled */
        row[r].lease_token = 0;
        row[r].failures++;
        assert(row[r].failures <= MAX_ATTEMPTS);   /* failures never exceed max_attempts */
        if
        :: row[r].failures >= MAX_ATTEMPTS ->
            row[r].state = dead;
            add_dead(r)
        :: else -> row[r].state = retrying; retry = true
        fi
    :: !HOLDS(r, me)
    fi
}

inline settle_released() {
    if
    :: HOLDS(r, me) ->
        assert(row[r].attempt == a);           /* only the attempt under way is settled */
        row[r].lease_token = 0;
        row[r].state = queued;
        add_task(r)
    :: !HOLDS(r, me)
    fi
}

/* FireLoop and Relay */
inline forget() {
    term[me] = 0;
    from = 0;
    if
    :: leader_owner == me -> lease_over = true     /* nobody renews it */
    :: else
    fi
}

inline end_transaction() {
    schedule_lock = 0;
#ifndef NO_TERM_CHECK
    leader_share--;
#endif
    to = 0;
    busy = false
}

proctype beat(byte me) {
    byte from, to, f;
    bool busy;
end_leading:
    do
    :: atomic { term[me] == 0 && lease_over && leader_share == 0 ->       /* Leader.acquire waits for those who confirm */
        leader_term++;
        leader_owner = me;
        lease_over = false;
        term[me] = leader_term;
        from = watermark }
    :: atomic { term[me] > 0 && leader_term != term[me] ->                /* Leader.renew: taken */
        term[me] = 0;
        from = 0 }
    :: atomic { term[me] > 0 && leader_term == term[me] && lease_over -> lease_over = false }   /* renewed, late */
    :: atomic { term[me] > 0 && from < now && schedule_lock == 0 ->
        if
        :: !LEADS(me) -> term[me] = 0; from = 0                           /* LeadershipLost */
        :: else ->
            if
            :: !JUDGED_FROM(from) -> from = watermark                     /* FireLoop.refresh */
            :: else ->
                schedule_lock = me;
#ifndef NO_TERM_CHECK
                leader_share++;
#endif
                to = now;
                busy = ANY_OPEN;
                break
            fi
        fi }
    :: atomic { term[me] > 0 && row[0].outbox -> relay_task(0) }
    :: atomic { term[me] > 0 && row[1].outbox -> relay_task(1) }
    :: atomic { term[me] > 0 && row[2].outbox -> relay_task(2) }
    :: atomic { term[me] > 0 && row[0].outbox_dead -> relay_dead(0) }
    :: atomic { term[me] > 0 && row[1].outbox_dead -> relay_dead(1) }
    :: atomic { term[me] > 0 && row[2].outbox_dead -> relay_dead(2) }
    :: atomic { term[me] > 0 && faults > 0 -> faults--; forget() }
    od;

    /* in the transaction: the leader's row is shared, the schedule's row is locked */
    if
    :: atomic { write_fires(from, to, busy); from = to; end_transaction() }
    :: atomic { faults > 0 -> faults--; end_transaction(); forget() }
    fi;
    goto end_leading
}

/* RecoveryLoop: the leader's, whichever beat that is; another one's transactions are refused */
#define LED (leader_term > 0 && (term[1] == leader_term || term[2] == leader_term))
#define EXECUTED(r) (in_hand[row[r].lease_token] == r + 1)
/* an owner that lives renews its lease, unless it is frozen or cut off for too long */
#define LAPSED(r) (row[r].state == running && (!EXECUTED(r) || faults > 0))
#define MESSAGE_GONE(r) (TO_START(r) && !(row[r].message & NEXT_MESSAGE(r)) && !row[r].outbox)

inline end_lapsed_lease(r) {
    if
    :: EXECUTED(r) -> faults--
    :: else
    fi;
    row[r].failures++;
    assert(row[r].failures <= MAX_ATTEMPTS);   /* failures never exceed max_attempts */
    row[r].lease_token = 0;
    if
    :: row[r].failures >= MAX_ATTEMPTS -> row[r].state = dead; add_dead(r)
    :: row[r].failures < MAX_ATTEMPTS -> row[r].state = queued; add_task(r)
    fi
}

inline republish(r) {
#ifdef NO_OUTBOX
    reach_task_queue(r)
#else
    row[r].outbox = true
#endif
}

proctype recovery() {
end_watching:
    do
    :: atomic { LED && LAPSED(0) -> end_lapsed_lease(0) }
    :: atomic { LED && LAPSED(1) -> end_lapsed_lease(1) }
    :: atomic { LED && LAPSED(2) -> end_lapsed_lease(2) }
    :: atomic { LED && MESSAGE_GONE(0) -> republish(0) }
    :: atomic { LED && MESSAGE_GONE(1) -> republish(1) }
    :: atomic { LED && MESSAGE_GONE(2) -> republish(2) }
    :: atomic { LED && schedule_lock == 0 && TO_PROMOTE -> promote() }
    od
}

/* Claimer, Execution and Settler. A slot has one claim at a time, so the worker's number is a lease token of its own. */
#define ANY_MESSAGE (row[0].message || row[1].message || row[2].message)
#define CLAIMABLE(r, a) (TO_START(r) && NEXT_ATTEMPT(r, a) && row[r].failures < MAX_ATTEMPTS)

proctype worker(byte me) {
    byte r, a;
    bool retry;
end_idle:
    /* a message is delivered, and claimed: what is refused is acknowledged, a duplicate or stale */
    atomic { ANY_MESSAGE ->
        if
        :: row[0].message -> r = 0
        :: row[1].message -> r = 1
        :: row[2].message -> r = 2
        fi;
        if
        :: row[r].message & BIT(1) -> a = 1
        :: row[r].message & BIT(2) -> a = 2
        :: row[r].message & BIT(3) -> a = 3
        :: row[r].message & BIT(4) -> a = 4
        :: row[r].message & BIT(5) -> a = 5
        :: row[r].message & BIT(6) -> a = 6
        fi;
        row[r].message = row[r].message & ~BIT(a);
        if
        :: CLAIMABLE(r, a) ->
            assert(!(row[r].started & BIT(a)));   /* an attempt starts once */
            assert(row[r].attempt < a);           /* attempt never falls */
            row[r].started = row[r].started | BIT(a);
            row[r].state = running;
            row[r].attempt = a;
            row[r].lease_token = me;
            in_hand[me] = r + 1
        :: else -> r = 0; a = 0; goto end_idle
        fi }

    /* the task runs; its worker may stand still here while the lease lapses */
    if
#ifdef TRANSACTION
    :: atomic { FENCED(r, me) ->               /* LedgerTransaction: the effect and the success commit together */
        row[r].effects++;
        assert(row[r].effects == 1);           /* the transaction's effect happens once */
        succeeded_now();                       /* settling it again gives the same answer */
        goto settled }
    :: atomic { !FENCED(r, me) -> goto settled }           /* LeaseLost: rolled back */
#else
    :: atomic { settle_succeeded(); goto settled }
#endif
    :: atomic { settle_failed();
        if
        :: retry
        :: else -> goto settled
        fi }
    :: atomic { faults > 0 -> faults--; settle_released(); goto settled }
    :: atomic { faults > 0 -> faults--; goto killed }
    fi;

    /* Settler.publishRetry: what is not taken waits in the ledger */
    if
    :: atomic { TO_START(r) && row[r].attempt == a -> reach_task_queue(r) }
    :: atomic { !(TO_START(r) && row[r].attempt == a) }    /* recovery was faster: a duplicate, like those of the weather */
    :: atomic { faults > 0 -> faults-- }
    :: atomic { faults > 0 -> faults--; goto killed }
    fi;

settled:
    /* the message is acknowledged, unless the worker dies before */
    atomic {
        if
        :: true
        :: faults > 0 -> faults--; row[r].message = row[r].message | BIT(a)
        fi;
        in_hand[me] = 0; r = 0; a = 0; retry = false;
        goto end_idle }

killed:
    /* its connection ends with it, and the broker delivers again what was not acknowledged */
    atomic {
        row[r].message = row[r].message | BIT(a);
        in_hand[me] = 0; r = 0; a = 0; retry = false;
        goto end_idle }
}

/* A person does one thing at the command line */
proctype person() {
    byte f, owed, to;
    bool busy;
    if
    :: true                                            /* nothing */
    :: goto run_now
    :: goto replay
    :: goto backfill
    :: goto pause
    fi;
    goto leave;

run_now:    /* RunNow.trigger: locks the schedule's row, judges overlap, writes */
    atomic { LOCKABLE ->
#ifndef NO_OVERLAP_LOCK
        schedule_lock = 3;
#endif
        busy = ANY_OPEN }
    atomic {
        if
#ifndef OVERLAP_ALLOW
        :: busy
#endif
        :: else -> insert(MANUAL, false)
        fi;
#ifndef NO_OVERLAP_LOCK
        schedule_lock = 0;
#endif
        goto leave }

replay:     /* Replays.replay */
    if
    :: atomic { schedule_lock == 0 && ANY_DEAD ->
        if
        :: row[0].state == dead -> f = 0
        :: row[1].state == dead -> f = 1
        :: row[2].state == dead -> f = 2
        fi;
        row[f].failures = 0;
        row[f].lease_token = 0;
        row[f].replayed = true;
        row[f].dead_message = false;
        row[f].state = queued;
        add_task(f);
        f = 0 }
    :: true
    fi;
    goto leave;

backfill:   /* Backfill.run, for the last fire: OwedFires.lock judges what is owed before */
    if
    :: atomic { now == FIRES && schedule_lock == 0 ->
        owed = watermark;
        to = now;
        busy = ANY_OPEN;
#ifndef NO_JUDGING_BEFORE
        write_fires(owed, to, busy);
#endif
        if
        :: KEY_THERE(FIRES)
        :: !KEY_THERE(FIRES) && ANY_OPEN -> new_row(FIRES, true, waiting)
        :: !KEY_THERE(FIRES) && !ANY_OPEN -> new_row(FIRES, true, queued); add_task(rows - 1)
        fi }
    :: true
    fi;
    goto leave;

pause:      /* OwedFires.judge: what is owed is judged, by whoever changes the schedule */
    atomic { schedule_lock == 0 ->
        to = now;
        owed = watermark;
        busy = ANY_OPEN;
        write_fires(owed, to, busy) }

leave:
    skip
}

/* Time passes, and luck is bad */
proctype weather() {
    byte r, a;
end_of_weather:
    do
    :: atomic { now < FIRES -> now++ }
    :: atomic { !lease_over && faults > 0 -> faults--; lease_over = true }
    :: atomic { faults > 0 && ANY_MESSAGE -> faults--;                    /* a queue purged, a broker wiped */
        row[0].message = 0; row[1].message = 0; row[2].message = 0 }
    :: atomic { faults > 0 && rows > 0 -> faults--;                       /* any message once more */
        if
        :: rows > 0 -> r = 0
        :: rows > 1 -> r = 1
        :: rows > 2 -> r = 2
        fi;
        if
        :: row[r].attempt >= 1 -> a = 1
        :: row[r].attempt >= 2 -> a = 2
        :: row[r].attempt >= 3 -> a = 3
        :: row[r].attempt >= 4 -> a = 4
        :: row[r].message & NEXT_MESSAGE(r) -> a = row[r].attempt + 1
        :: else
        fi;
        if
        :: a > 0 -> row[r].message = row[r].message | BIT(a)
        :: else
        fi;
        r = 0; a = 0 }
    :: atomic { faults > 0 -> faults = 0 }                                              /* that was the last one */
    od
}

inline ended(r) {
    if
    :: r < rows ->
        assert(!OPEN(r));                                              /* in the end nothing is open */
        assert(row[r].state != dead || row[r].dead_message);           /* a dead run has its dead message */
        assert(row[r].successes == (row[r].state == succeeded -> 1 : 0));       /* a run that succeeded did so once */
#ifdef TRANSACTION
        assert(row[r].effects == row[r].successes)     /* the transaction's effect is there where the run succeeded */
#endif
    :: else
    fi
}

/* "timeout" is true where no process can take a step */
proctype history() {
    timeout -> atomic {
        assert(now == FIRES && watermark == FIRES);                    /* in the end every due fire is judged */
        ended(0);
        ended(1);
        ended(2) }
}

init {
    atomic {
        run beat(1); run beat(2);
        run worker(1); run worker(2);
#ifndef NO_RECOVERY
        run recovery();
#endif
#ifdef PERSON
        run person();
#endif
        run weather();
        run history() }
}
