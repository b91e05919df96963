package org.calando.gears;

import java.util.function.BooleanSupplier;
import org.calando.core.policy.Plan;

/** A step of a shift, put together from what it does. */
record GearStep(String name, String describe, Act act, BooleanSupplier done, Act back)
    implements Plan.Action {
  /** What a step does; may wait. */
  interface Act {
    /** Nothing to do. */
    Act NOTHING = () -> {};

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
