package io.onbeat.beat.fire;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quartz.Scheduler;
import org.quartz.Trigger;
import org.quartz.TriggerKey;
import org.quartz.impl.SchedulerRepository;
import org.quartz.impl.matchers.GroupMatcher;
import org.quartz.listeners.TriggerListenerSupport;

/** On a real Quartz scheduler. The fire times are of another year: a ledger's clock owes the machine's nothing. */
class WakeUpTest {
    private static final Instant FIRE_TIME = Instant.parse("2031-07-14T18:00:00Z");

    private final BlockingQueue<Instant> alarms = new LinkedBlockingQueue<>();
    private WakeUp wakeUp;
    private Scheduler quartz;

    @BeforeEach
    void start() throws Exception {
        wakeUp = new WakeUp("test", alarms::add);
        quartz = SchedulerRepository.getInstance().lookup("onbeat-wake-up-test");
    }

    @AfterEach
    void stop() throws Exception {
        wakeUp.close();
    }

    @Test
    void an_alarm_tells_the_nominal_fire_time() throws Exception {
        wakeUp.set(FIRE_TIME, Duration.ofMillis(200));
        assertThat(alarms.poll(30, SECONDS)).isEqualTo(FIRE_TIME);
        wakeUp.set(FIRE_TIME.plusSeconds(1), Duration.ofSeconds(-3));
        assertThat(alarms.poll(30, SECONDS)).isEqualTo(FIRE_TIME.plusSeconds(1));
    }

    @Test
    void a_misfire_keeps_the_nominal_fire_time() throws Exception {
        CountDownLatch misfired = new CountDownLatch(1);
        quartz.getListenerManager().addTriggerListener(new TriggerListenerSupport() {
            @Override
            public String getName() {
                return "test";
            }

            @Override
            public void triggerMisfired(Trigger trigger) {
                misfired.countDown();
            }
        });
        quartz.standby();
        wakeUp.set(FIRE_TIME, Duration.ofMillis(1));
        Instant misfiresFrom = Instant.now().plusMillis(1_100);
        await().until(() -> Instant.now().isAfter(misfiresFrom));
        assertThat(alarms).isEmpty();
        quartz.start();
        assertThat(alarms.poll(30, SECONDS)).isEqualTo(FIRE_TIME);
        assertThat(misfired.await(30, SECONDS)).isTrue();
    }

    @Test
    void the_alarm_that_is_set_takes_the_place_of_the_one_before() throws Exception {
        wakeUp.set(FIRE_TIME, Duration.ofHours(1));
        wakeUp.set(FIRE_TIME.minusSeconds(5), Duration.ofMinutes(50));
        assertThat(quartz.getTriggerKeys(GroupMatcher.anyGroup())).hasSize(1);
        TriggerKey key =
                quartz.getTriggerKeys(GroupMatcher.anyGroup()).iterator().next();
        assertThat(quartz.getTrigger(key).getNextFireTime().toInstant())
                .isBefore(Instant.now().plus(Duration.ofMinutes(51)));
        wakeUp.set(FIRE_TIME.minusSeconds(9), Duration.ZERO);
        assertThat(alarms.poll(30, SECONDS)).isEqualTo(FIRE_TIME.minusSeconds(9));
        await().until(() -> quartz.getTriggerKeys(GroupMatcher.anyGroup()).isEmpty());
        assertThat(alarms).isEmpty();
    }
}
