package org.calando.power.onoff;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.FailedWorkException;

/** A node and its switch, which do as they are told, or not, in the time of a ticker. */
final class FakeNode implements PowerSwitch, Lookout {
  static final double NEVER = 1e6;

  private final StepTicker ticker;
  private final List<String> orders = new ArrayList<>();
  private boolean on;
  private long turnsAtNanos;
  private boolean willBeOn;

  /** Seconds from an order to what it does. */
  double bootSeconds = 30;

  double shutdownSeconds = 10;
  double cutSeconds = 1;

  /** Orders and questions that fail before one is taken. */
  int refusals;

  int silences;

  /** Orders that are taken and come to nothing. */
  int lost;

  /** Orders that are taken and fail later, as the next question tells. */
  int lateFailures;

  private boolean failedLate;

  /** Whether the effect comes although the order is answered by a failure. */
  boolean losesAnswers;

  /** What the switch says whatever is the case; null for the truth. */
  State says;

  /** Whether the node takes connections whatever its switch says; null for the truth. */
  Boolean answersAlways;

  boolean betweenWhileTurning;

  FakeNode(StepTicker ticker, boolean on) {
    this.ticker = ticker;
    this.on = on;
    this.willBeOn = on;
  }

  List<String> orders() {
    return orders;
  }

  private boolean isOn() {
    if (ticker.nanos() - turnsAtNanos >= 0) {
      on = willBeOn;
    }
    return on;
  }

  private void order(String name, boolean toBeOn, double seconds) {
    boolean now = isOn();
    orders.add(name);
    if (lateFailures > 0) {
      lateFailures--;
      failedLate = true;
      return;
    }
    boolean fails = refusals > 0;
    refusals -= fails ? 1 : 0;
    boolean works = (!fails || losesAnswers) && lost == 0;
    lost -= lost > 0 ? 1 : 0;
    if (works && now != toBeOn) {
      willBeOn = toBeOn;
      turnsAtNanos = ticker.nanos() + Math.round(seconds * 1e9);
    }
    if (fails) {
      throw new FailedWorkException("busy", "switch", "wait");
    }
  }

  @Override
  public String describe() {
    return "n1, a fake";
  }

  @Override
  public State read() {
    if (silences > 0) {
      silences--;
      throw new FailedWorkException("no answer", "switch", "look at the cable");
    }
    if (failedLate) {
      failedLate = false;
      throw new FailedWorkException(
          AgentSwitch.ORDER_FAILED + ": no such unit", "switch", "correct its name");
    }
    boolean now = isOn();
    if (says != null) {
      return says;
    }
    return betweenWhileTurning && willBeOn != now ? State.UNKNOWN : now ? State.ON : State.OFF;
  }

  @Override
  public boolean answers() {
    return answersAlways != null ? answersAlways : isOn();
  }

  @Override
  public void on() {
    order("on", true, bootSeconds);
  }

  @Override
  public void off() {
    order("off", false, shutdownSeconds);
  }

  @Override
  public boolean canForce() {
    return true;
  }

  @Override
  public void forceOff() {
    order("force", false, cutSeconds);
  }
}
