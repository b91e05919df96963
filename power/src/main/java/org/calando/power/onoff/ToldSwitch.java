package org.calando.power.onoff;

/**
 * A node's switch that tells, before the node is ordered off and after it was ordered on. Thread
 * safe as its parts are.
 *
 * @param inner switches
 * @param goesOff hears of the node before it is ordered off
 * @param cameOn hears of the node once it is ordered on
 */
public record ToldSwitch(PowerSwitch inner, Runnable goesOff, Runnable cameOn)
    implements PowerSwitch {
  @Override
  public String describe() {
    return inner.describe();
  }

  @Override
  public State read() throws InterruptedException {
    return inner.read();
  }

  @Override
  public void begin() throws InterruptedException {
    inner.begin();
  }

  @Override
  public void on() throws InterruptedException {
    try {
      inner.on();
    } finally {
      // Also if it was interrupted: the node may be coming all the same.
      cameOn.run();
    }
  }

  @Override
  public void off() throws InterruptedException {
    goesOff.run();
    inner.off();
  }

  @Override
  public boolean canForce() {
    return inner.canForce();
  }

  @Override
  public void forceOff() throws InterruptedException {
    goesOff.run();
    inner.forceOff();
  }
}
