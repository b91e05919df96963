package org.calando.power.onoff;

import java.time.Duration;
import org.calando.power.MeterException;
import org.calando.power.Ticker;
import org.calando.power.ipmi.IpmiAddress;
import org.calando.power.ipmi.IpmiChassis;
import org.calando.power.ipmi.IpmiChassis.Order;
import org.calando.power.ipmi.IpmiChassis.PowerState;

/**
 * A machine's power, switched by its management controller over IPMI with Debian's ipmitool. The
 * session needs the privilege operator. Immutable and thread safe.
 */
public final class IpmiSwitch implements PowerSwitch {
  private final String node;
  private final IpmiChassis chassis;
  private final Duration askWithin;
  private final Ticker ticker;

  /**
   * A switch.
   *
   * @param node the node's name, for messages
   * @param askWithin how long one session may take; real controllers need a second, up to ten
   */
  public IpmiSwitch(String node, IpmiAddress bmc, Duration askWithin, Ticker ticker) {
    this.node = node;
    this.chassis = new IpmiChassis(bmc);
    this.askWithin = askWithin;
    this.ticker = ticker;
  }

  @Override
  public String describe() {
    return node + ", ipmi " + chassis.bmc().describe();
  }

  @Override
  public State read() throws InterruptedException {
    try {
      PowerState state = chassis.powerState(ticker, deadlineNanos());
      return state == PowerState.ON ? State.ON : State.OFF;
    } catch (MeterException e) {
      throw e.toFailedWork();
    }
  }

  @Override
  public void on() throws InterruptedException {
    order(Order.ON);
  }

  @Override
  public void off() throws InterruptedException {
    order(Order.SOFT_OFF);
  }

  @Override
  public boolean canForce() {
    return true;
  }

  @Override
  public void forceOff() throws InterruptedException {
    order(Order.FORCE_OFF);
  }

  private void order(Order order) throws InterruptedException {
    try {
      chassis.order(order, ticker, deadlineNanos());
    } catch (MeterException e) {
      throw e.toFailedWork();
    }
  }

  private long deadlineNanos() {
    return ticker.nanos() + askWithin.toNanos();
  }
}
