package io.onbeat.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onbeat.lock.LockStore.Answer;
import io.onbeat.lock.Locks.Acquisition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store of locks promises. */
abstract class LockContract {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(600);
    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration PATIENT = Duration.ofSeconds(20);

    private final String name = "lock " + UUID.randomUUID() + " ş}";
    private LockStore store;
    private Locks locks;
    private Locks others;

    abstract LockStore open();

    @BeforeEach
    void openStores() {
        store = open();
        locks = new Locks(open());
        others = new Locks(open());
    }

    @AfterEach
    void close() {
        locks.close();
        others.close();
        store.close();
    }

    @Test
    void ofAHundredWhoTryAtOnceOneHoldsIt() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(20);
        try {
            List<Callable<Acquisition>> tries = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                tries.add(() -> locks.acquire(name, "me", LONG, AT_ONCE, () -> {}));
            }
            int held = 0;
            for (Future<Acquisition> each : threads.invokeAll(tries)) {
                held += each.get() instanceof Acquisition.Held ? 1 : 0;
            }
            assertThat(held).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void thoseWhoWaitHoldItOneAfterTheOtherWithGrowingTokens() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Long> tokens = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Void>> tries = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                tries.add(() -> {
                    try (HeldLock lock = held(locks.acquire(name, "me", LONG, LONG, () -> {}))) {
                        assertThat(inside.incrementAndGet()).isEqualTo(1);
                        tokens.add(lock.token());
                        inside.decrementAndGet();
                    }
                    return null;
                });
            }
            for (Future<Void> each : threads.invokeAll(tries)) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(tokens).hasSize(8).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void itIsHeldLongerThanItsTimeToLive() throws Exception {
        CountDownLatch lost = new CountDownLatch(1);
        // on a busy machine a renewal comes late: by less than two thirds of this
        Duration timeToLive = Duration.ofSeconds(5);
        HeldLock lock = held(locks.acquire(name, "me", timeToLive, AT_ONCE, lost::countDown));

        // longer than that, seen from another process's place
        assertThat(others.acquire(name, "me", LONG, timeToLive.plusSeconds(1), () -> {}))
                .isInstanceOf(Acquisition.Busy.class);

        assertThat(lock.isHeld()).isTrue();
        assertThat(lost.getCount()).isEqualTo(1);
        lock.close();
    }

    @Test
    void whoeverHasItIsNamed() throws Exception {
        held(locks.acquire(name, "me", LONG, AT_ONCE, () -> {}));

        assertThat(others.acquire(name, "me", LONG, AT_ONCE, () -> {})).isEqualTo(new Acquisition.Busy("me"));
    }

    @Test
    void aHolderThatIsGoneIsFollowedWithALargerToken() throws Exception {
        long gone = acquired(store.acquire(name, UUID.randomUUID(), "gone", SHORT));

        HeldLock next = held(locks.acquire(name, "me", LONG, PATIENT, () -> {}));

        assertThat(next.token()).isGreaterThan(gone);
    }

    @Test
    void theTokenGrowsAfterAReleaseToo() throws Exception {
        HeldLock first = held(locks.acquire(name, "me", LONG, AT_ONCE, () -> {}));
        first.close();
        HeldLock second = held(others.acquire(name, "me", LONG, AT_ONCE, () -> {}));

        assertThat(second.token()).isGreaterThan(first.token());
    }

    @Test
    void aHolderOfYesterdayNeitherRenewsNorReleases() throws Exception {
        UUID yesterday = UUID.randomUUID();
        store.acquire(name, yesterday, "yesterday", Duration.ofMillis(200));
        HeldLock today = held(locks.acquire(name, "me", LONG, PATIENT, () -> {}));

        assertThat(store.renew(name, yesterday, LONG)).isFalse();
        store.release(name, yesterday);

        assertThat(store.renew(name, UUID.randomUUID(), LONG)).isFalse();
        assertThat(others.acquire(name, "me", LONG, AT_ONCE, () -> {})).isInstanceOf(Acquisition.Busy.class);
        assertThat(today.isHeld()).isTrue();
    }

    @Test
    void aRepeatedRequestGetsTheSameAnswer() throws Exception {
        UUID holder = UUID.randomUUID();

        long token = acquired(store.acquire(name, holder, "me", LONG));

        assertThat(acquired(store.acquire(name, holder, "me", LONG))).isEqualTo(token);
    }

    @Test
    void theLossIsToldToTheHolderOnce() throws Exception {
        AtomicInteger lost = new AtomicInteger();
        UUID[] taken = new UUID[1];
        LockStore stolen = new Stolen(open(), taken);
        try (Locks victim = new Locks(stolen)) {
            HeldLock lock = held(victim.acquire(name, "me", SHORT, AT_ONCE, lost::incrementAndGet));
            store.release(name, taken[0]);

            await().atMost(PATIENT).until(() -> !lock.isHeld());
            await().atMost(PATIENT).until(() -> lost.get() == 1);
            lock.close();
            assertThat(lost).hasValue(1);
        }
    }

    @Test
    void aStoreThatCannotBeReachedEndsTheLockAtItsTime() throws Exception {
        CountDownLatch lost = new CountDownLatch(1);
        Silent silent = new Silent(open());
        try (Locks victim = new Locks(silent)) {
            HeldLock lock = held(victim.acquire(name, "me", SHORT, AT_ONCE, lost::countDown));
            silent.away = true;

            assertThat(lost.await(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
            assertThat(lock.isHeld()).isFalse();
        }
    }

    @Test
    void whoWaitsForTheLockWaitsForTheStoreToo() throws Exception {
        Silent silent = new Silent(open());
        silent.refusals = 2;
        try (Locks patient = new Locks(silent)) {
            held(patient.acquire(name, "me", LONG, PATIENT, () -> {}));
            silent.refusals = 1;
            assertThatThrownBy(() -> patient.acquire("other", "me", LONG, AT_ONCE, () -> {}))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void namesAndTimesThatCannotBeAreRefused() {
        assertThatThrownBy(() -> locks.acquire(" ", "me", LONG, AT_ONCE, () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 255 characters");
        assertThatThrownBy(() -> locks.acquire("a\nb", "me", LONG, AT_ONCE, () -> {}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locks.acquire(name, "me", Duration.ofMillis(1), AT_ONCE, () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("200ms to 1d, and not 1ms");
    }

    private static HeldLock held(Acquisition acquisition) {
        assertThat(acquisition).isInstanceOf(Acquisition.Held.class);
        return ((Acquisition.Held) acquisition).lock();
    }

    private static long acquired(Answer answer) {
        return ((Answer.Acquired) answer).token();
    }

    /** The real store; it tells the test who the holder is, so that another's hand can take the lock away. */
    private record Stolen(LockStore real, UUID[] taken) implements LockStore {
        @Override
        public Answer acquire(String name, UUID holder, String owner, Duration timeToLive) throws IOException {
            taken[0] = holder;
            return real.acquire(name, holder, owner, timeToLive);
        }

        @Override
        public boolean renew(String name, UUID holder, Duration timeToLive) throws IOException {
            return real.renew(name, holder, timeToLive);
        }

        @Override
        public void release(String name, UUID holder) throws IOException {
            real.release(name, holder);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    /** The real store, behind a network that may go away. */
    private static final class Silent implements LockStore {
        private final LockStore real;
        private volatile boolean away;
        private int refusals;

        Silent(LockStore real) {
            this.real = real;
        }

        @Override
        public Answer acquire(String name, UUID holder, String owner, Duration timeToLive) throws IOException {
            if (refusals > 0) {
                refusals--;
                throw new IOException("no route to host");
            }
            return real.acquire(name, holder, owner, timeToLive);
        }

        @Override
        public boolean renew(String name, UUID holder, Duration timeToLive) throws IOException {
            if (away) {
                throw new IOException("no route to host");
            }
            return real.renew(name, holder, timeToLive);
        }

        @Override
        public void release(String name, UUID holder) throws IOException {
            real.release(name, holder);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
