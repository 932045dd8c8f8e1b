package io.onbeat.beat.fire;

import java.time.Duration;
import java.util.Date;
import java.util.Properties;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.StdSchedulerFactory;

/**
 * Quartz, as an alarm clock: it wakes the fire loop when the next fire time comes. What is due is decided by the watermarks,
 * so an alarm that is late, early, twice or lost does no harm.
 */
final class WakeUp implements AutoCloseable {
    private static final String NAME = "onbeat-wake-up";
    private static final TriggerKey TRIGGER = TriggerKey.triggerKey(NAME);

    private final Scheduler quartz;
    private final JobDetail job;

    WakeUp(String beat, Runnable alarm) throws SchedulerException {
        Properties properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", NAME + "-" + beat);
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        properties.setProperty("org.quartz.scheduler.makeSchedulerThreadDaemon", "true");
        properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        properties.setProperty("org.quartz.threadPool.threadCount", "1");
        properties.setProperty("org.quartz.threadPool.makeThreadsDaemons", "true");
        properties.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
        quartz = new StdSchedulerFactory(properties).getScheduler();
        quartz.setJobFactory((bundle, scheduler) -> (Job) (JobExecutionContext context) -> alarm.run());
        job = JobBuilder.newJob(Job.class).withIdentity(NAME).storeDurably().build();
        quartz.addJob(job, true);
        quartz.start();
    }

    /** Sets the one alarm, in place of any earlier one. */
    void in(Duration delay) throws SchedulerException {
        Trigger trigger = TriggerBuilder.newTrigger()
                .withIdentity(TRIGGER)
                .forJob(job)
                .startAt(new Date(System.currentTimeMillis() + Math.max(0, delay.toMillis())))
                .build();
        if (quartz.rescheduleJob(TRIGGER, trigger) == null) {
            quartz.scheduleJob(trigger);
        }
    }

    @Override
    public void close() throws SchedulerException {
        quartz.shutdown(false);
    }
}
