package org.calando.gears;

import org.calando.core.FailedWorkException;
import org.calando.power.onoff.PowerSwitch;

/** A switch that does what it is told. */
class PaperSwitch implements PowerSwitch {
  /** Whether it does not go off when it is told to. */
  boolean stuck;

  /** Whether it does not go on when it is told to. */
  boolean broken;

  private State state = State.ON;

  /** Has it in a state that nobody told it. */
  void set(State now) {
    state = now;
  }

  @Override
  public String describe() {
    return "a switch on paper";
  }

  @Override
  public State read() {
    return state;
  }

  @Override
  public void on() {
    if (broken) {
      throw new FailedWorkException("does not obey", "paper", "fix it");
    }
    state = State.ON;
  }

  @Override
  public void off() throws InterruptedException {
    if (stuck) {
      throw new FailedWorkException("does not obey", "paper", "fix it");
    }
    state = State.OFF;
  }

  @Override
  public boolean canForce() {
    return false;
  }

  @Override
  public void forceOff() {
    throw new UnsupportedOperationException();
  }
}
