package org.calando.power.onoff;

import java.time.Duration;
import org.calando.power.MeterException;
import org.calando.power.Ticker;
import org.calando.power.redfish.RedfishSystem;
import org.calando.power.redfish.RedfishSystem.Reset;

/**
 * A machine's power, switched by its management controller over Redfish. The user needs the right
 * to configure components (role Operator). Immutable and thread safe.
 */
public final class RedfishSwitch implements PowerSwitch {
  private final String node;
  private final RedfishSystem system;
  private final Duration askWithin;
  private final Ticker ticker;

  /**
   * A switch.
   *
   * @param node the node's name, for messages
   * @param askWithin how long one session may take: a login, some links, and the order
   */
  public RedfishSwitch(String node, RedfishSystem system, Duration askWithin, Ticker ticker) {
    this.node = node;
    this.system = system;
    this.askWithin = askWithin;
    this.ticker = ticker;
  }

  @Override
  public String describe() {
    return node + ", " + system.describe();
  }

  @Override
  public State read() throws InterruptedException {
    try {
      return switch (system.powerState(ticker, deadlineNanos())) {
        case ON -> State.ON;
        case OFF -> State.OFF;
        case BETWEEN -> State.UNKNOWN;
      };
    } catch (MeterException e) {
      throw e.toFailedWork();
    }
  }

  @Override
  public void on() throws InterruptedException {
    reset(Reset.ON);
  }

  @Override
  public void off() throws InterruptedException {
    reset(Reset.GRACEFUL_SHUTDOWN);
  }

  @Override
  public boolean canForce() {
    return true;
  }

  @Override
  public void forceOff() throws InterruptedException {
    reset(Reset.FORCE_OFF);
  }

  private void reset(Reset reset) throws InterruptedException {
    try {
      system.reset(reset, ticker, deadlineNanos());
    } catch (MeterException e) {
      throw e.toFailedWork();
    }
  }

  private long deadlineNanos() {
    return ticker.nanos() + askWithin.toNanos();
  }
}
