package org.calando.power.onoff;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.calando.core.FailedWorkException;
import org.calando.power.Ticker;

/**
 * Orders that hold when they return. An order is believed when the switch reads back what was
 * ordered and, where there is a {@link Lookout}, when that agrees: a node that is off must not
 * answer, one that is on must. A node that is as ordered already is left alone.
 *
 * <p>An order that the switch did not take is given again, with growing pauses. One that it took
 * and that the read-back contradicts is given again too, except the graceful one: a node that shuts
 * down must not be pressed twice. Where there is time for it ({@link SwitchTimes#forceAfter}) a
 * node that does not go off is turned off by force.
 *
 * <p>Thread safe; orders are carried out one after the other.
 */
public final class VerifiedSwitch implements PowerSwitch {
  private final PowerSwitch plain;
  private final Optional<Lookout> lookout;
  private final SwitchTimes times;
  private final Ticker ticker;
  private final ReentrantLock turn = new ReentrantLock();

  /**
   * A switch that is verified.
   *
   * @param plain what turns the node on and off
   * @param lookout what sees whether the node answers; empty if only the switch's word counts
   * @param ticker clock of the deadlines
   * @throws IllegalArgumentException if force is wanted of a switch that has none
   */
  public VerifiedSwitch(
      PowerSwitch plain, Optional<Lookout> lookout, SwitchTimes times, Ticker ticker) {
    if (times.forceAfter().isPresent() && !plain.canForce()) {
      throw new IllegalArgumentException(plain.describe() + " cannot be turned off by force");
    }
    this.plain = plain;
    this.lookout = lookout;
    this.times = times;
    this.ticker = ticker;
  }

  @Override
  public String describe() {
    return plain.describe();
  }

  /** What the switch says now, {@code UNKNOWN} where the lookout contradicts it. */
  @Override
  public State read() throws InterruptedException {
    State state = plain.read();
    boolean contradicted = state == State.OFF && lookout.isPresent() && lookout.get().answers();
    return contradicted ? State.UNKNOWN : state;
  }

  @Override
  public void begin() throws InterruptedException {
    plain.begin();
  }

  /**
   * Turns the node on; returns when it is on and answers.
   *
   * @throws FailedWorkException if it is not so in time
   */
  @Override
  public void on() throws InterruptedException {
    turn(State.ON, true);
  }

  /**
   * Turns the node off; returns when it is off and silent.
   *
   * @throws FailedWorkException if it is not so in time, or the switch says so and the node still
   *     answers
   */
  @Override
  public void off() throws InterruptedException {
    turn(State.OFF, true);
  }

  @Override
  public boolean canForce() {
    return plain.canForce();
  }

  /** As {@link #off}, without asking the node first. */
  @Override
  public void forceOff() throws InterruptedException {
    if (!canForce()) {
      throw new UnsupportedOperationException(describe() + " cannot be turned off by force");
    }
    turn(State.OFF, false);
  }

  /** {@inheritDoc} Not only once it answers: a node that boots is on. */
  @Override
  public PowerSwitch told(Runnable goesOff, Runnable cameOn) {
    return new VerifiedSwitch(plain.told(goesOff, cameOn), lookout, times, ticker);
  }

  private void turn(State wanted, boolean gracefully) throws InterruptedException {
    turn.lockInterruptibly();
    try {
      new SwitchTurn(plain, new Sight(plain, lookout), times, ticker).run(wanted, gracefully);
    } finally {
      turn.unlock();
    }
  }
}
