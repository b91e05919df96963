package org.calando.control;

import java.util.function.BooleanSupplier;
import org.calando.core.policy.Plan;

/**
 * A step of a shift, put together from what it does.
 *
 * @param name of the step, unique in its plan
 * @param describe what it does, for people
 * @param act does it
 * @param done reads back whether it is done
 * @param back takes it back
 */
public record ShiftStep(String name, String describe, Act act, BooleanSupplier done, Act back)
    implements Plan.Action {
  /** What a step does; may wait. */
  public interface Act {
    /** Nothing to do. */
    Act NOTHING = () -> {};

    /** Does it. */
    void run() throws InterruptedException;
  }

  @Override
  public void perform() throws InterruptedException {
    act.run();
  }

  @Override
  public boolean isDone() {
    return done.getAsBoolean();
  }

  @Override
  public void undo() throws InterruptedException {
    back.run();
  }
}
