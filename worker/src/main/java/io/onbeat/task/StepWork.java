package io.onbeat.task;

/** The work of a step that is done once. */
@FunctionalInterface
public interface StepWork<T> {
    /**
     * @param start counts the starts of this step from 1. Above 1, an earlier start was not seen to finish: it may have had
     *     its effect or not
     * @return what is kept with the step, as JSON
     */
    T run(int start) throws Exception;
}
