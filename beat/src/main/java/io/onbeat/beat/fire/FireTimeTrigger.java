package io.onbeat.beat.fire;

import java.time.Instant;
import java.util.Date;
import org.quartz.Calendar;
import org.quartz.JobKey;
import org.quartz.ScheduleBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.triggers.AbstractTrigger;
import org.quartz.spi.MutableTrigger;

/**
 * Quartz's alarm for one fire time. Quartz counts on the machine's wall clock, the ledger does not; so it has two times: the
 * nominal fire time, and when to go off by the wall clock. A misfire moves only the second: the job is always told the nominal
 * fire time as its scheduled one. Quartz's own triggers forget it when they misfire.
 */
final class FireTimeTrigger extends AbstractTrigger<FireTimeTrigger> {
    private static final long serialVersionUID = 1;

    private final Instant fireTime;
    private Date goesOffAt;
    private boolean goneOff;

    FireTimeTrigger(TriggerKey key, JobKey job, Instant fireTime, Instant goesOffAt) {
        this.fireTime = fireTime;
        this.goesOffAt = Date.from(goesOffAt);
        setKey(key);
        setJobKey(job);
    }

    @Override
    public Date computeFirstFireTime(Calendar calendar) {
        return getNextFireTime();
    }

    // null, here and below: how Quartz is told that there is none
    @Override
    public Date getNextFireTime() {
        return goneOff ? null : goesOffAt;
    }

    @Override
    public Date getPreviousFireTime() {
        return goneOff ? Date.from(fireTime) : null;
    }

    @Override
    public void triggered(Calendar calendar) {
        goneOff = true;
    }

    @Override
    public void updateAfterMisfire(Calendar calendar) {
        goesOffAt = new Date();
    }

    @Override
    public boolean mayFireAgain() {
        return !goneOff;
    }

    @Override
    public Date getFireTimeAfter(Date after) {
        return goneOff || after != null && !goesOffAt.after(after) ? null : goesOffAt;
    }

    @Override
    public Date getFinalFireTime() {
        return goesOffAt;
    }

    @Override
    public Date getStartTime() {
        return goesOffAt;
    }

    @Override
    public Date getEndTime() {
        return null;
    }

    @Override
    protected boolean validateMisfireInstruction(int instruction) {
        return instruction == MISFIRE_INSTRUCTION_SMART_POLICY;
    }

    @Override
    public void updateWithNewCalendar(Calendar calendar, long misfireThreshold) {
        // no calendar of Quartz's plays a part
    }

    @Override
    public void setStartTime(Date time) {
        throw new UnsupportedOperationException("its one time is given when it is made");
    }

    @Override
    public void setEndTime(Date time) {
        throw new UnsupportedOperationException("its one time is given when it is made");
    }

    @Override
    public void setNextFireTime(Date time) {
        goesOffAt = time;
    }

    @Override
    public void setPreviousFireTime(Date time) {
        throw new UnsupportedOperationException("the fire time that it had is the one it is made for");
    }

    @Override
    public ScheduleBuilder<FireTimeTrigger> getScheduleBuilder() {
        FireTimeTrigger same = this;
        return new ScheduleBuilder<>() {
            @Override
            protected MutableTrigger build() {
                return (MutableTrigger) same.clone();
            }
        };
    }
}
