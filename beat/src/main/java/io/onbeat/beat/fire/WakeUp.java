package io.onbeat.beat.fire;

import java.time.Duration;
import java.time.Instant;
import java.util.Properties;
import java.util.function.Consumer;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
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

    /** @param alarm is told the fire time that it was set for */
    WakeUp(String beat, Consumer<Instant> alarm) throws SchedulerException {
        Properties properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", NAME + "-" + beat);
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        properties.setProperty("org.quartz.scheduler.makeSchedulerThreadDaemon", "true");
        properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        properties.setProperty("org.quartz.threadPool.threadCount", "1");
        properties.setProperty("org.quartz.threadPool.makeThreadsDaemons", "true");
        properties.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
        properties.setProperty("org.quartz.jobStore.misfireThreshold", "1000");
        quartz = new StdSchedulerFactory(properties).getScheduler();
        quartz.setJobFactory((bundle, scheduler) -> (Job) (JobExecutionContext context) ->
                alarm.accept(context.getScheduledFireTime().toInstant()));
        job = JobBuilder.newJob(Job.class).withIdentity(NAME).storeDurably().build();
        quartz.addJob(job, true);
        quartz.start();
    }

    /** Sets the one alarm, in place of any earlier one, however many schedules there are. */
    void set(Instant fireTime, Duration in) throws SchedulerException {
        Instant goesOffAt = Instant.now().plus(in.isNegative() ? Duration.ZERO : in);
        Trigger trigger = new FireTimeTrigger(TRIGGER, job.getKey(), fireTime, goesOffAt);
        if (quartz.rescheduleJob(TRIGGER, trigger) == null) {
            quartz.scheduleJob(trigger);
        }
    }

    @Override
    public void close() throws SchedulerException {
        quartz.shutdown(false);
    }
}
