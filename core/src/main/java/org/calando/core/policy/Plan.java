package org.calando.core.policy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What has to be done to set a knob, in order.
 *
 * @param knob name of the knob
 * @param target what it acts on
 * @param value what is set, in words that the knob can read again
 * @param steps what to do; their names differ
 */
public record Plan(String knob, String target, String value, List<Action> steps) {
  public Plan {
    steps = List.copyOf(steps);
    Set<String> names = new HashSet<>();
    for (Action step : steps) {
      if (!names.add(step.name())) {
        throw new IllegalArgumentException("two steps are named " + step.name());
      }
    }
  }

  /**
   * One step. It may be done again after it was done, in whole or in part: a journal tells only
   * that it was begun when the process died in the midst of it.
   */
  public interface Action {
    /** Its name within the plan, the same each time that the plan is made. */
    String name();

    /** What it does, for people: begins with a verb. */
    String describe();

    /**
     * Does it.
     *
     * @throws org.calando.core.CalandoException if it cannot be done
     * @throws InterruptedException if the waiting thread is interrupted; it may be done in part
     */
    void perform() throws InterruptedException;

    /**
     * Reads back whether it is done.
     *
     * @throws org.calando.core.CalandoException if that cannot be read
     */
    boolean isDone();

    /**
     * Takes it back; also if it was done in part, or not at all.
     *
     * @throws org.calando.core.CalandoException if that cannot be done
     * @throws InterruptedException if the waiting thread is interrupted
     */
    void undo() throws InterruptedException;
  }
}
