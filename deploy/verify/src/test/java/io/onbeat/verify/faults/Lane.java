package io.onbeat.verify.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Carries out one lane of a plan, one fault after the other; each is healed before the next strikes. */
final class Lane {
    private final Rig rig;
    private final List<Strike> strikes;
    private final Diary diary;
    private final long start;
    private final Map<String, ReentrantLock> places;

    /**
     * @param start of the test, as System.nanoTime() has it
     * @param places shared by all lanes: where a fault takes longer than planned, the next one in its place waits
     */
    Lane(Rig rig, List<Strike> strikes, Diary diary, long start, ConcurrentHashMap<String, ReentrantLock> places) {
        this.rig = rig;
        this.strikes = strikes;
        this.diary = diary;
        this.start = start;
        this.places = places;
    }

    void run() {
        try {
            for (Strike strike : strikes) {
                TimeUnit.NANOSECONDS.sleep(start + strike.at().toNanos() - System.nanoTime());
                ReentrantLock place = places.computeIfAbsent(strike.place(), name -> new ReentrantLock());
                place.lockInterruptibly();
                try {
                    carryOut(strike);
                } finally {
                    place.unlock();
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void carryOut(Strike strike) throws InterruptedException {
        Fault fault = strike.kind().on(rig, strike.place());
        diary.strikes(strike);
        try {
            fault.strike();
            TimeUnit.NANOSECONDS.sleep(strike.lasts().toNanos());
            diary.struck(strike);
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception other) {
            // the fault before was in its way, as when the queue to be purged is gone with the broker
            diary.missed(strike, other);
        } finally {
            heal(strike, fault);
        }
    }

    private void heal(Strike strike, Fault fault) throws InterruptedException {
        long giveUp = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (true) {
            try {
                fault.heal();
                diary.healed(strike);
                return;
            } catch (InterruptedException stopped) {
                throw stopped;
            } catch (Exception notYet) {
                if (System.nanoTime() > giveUp) {
                    diary.missed(strike, notYet);
                    return;
                }
                diary.notYetHealed(strike, notYet);
                TimeUnit.SECONDS.sleep(1);
            }
        }
    }
}
