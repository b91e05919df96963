package org.calando.engine.hdfs;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.engine.NodePresence;
import org.calando.power.onoff.PowerSwitch;

/**
 * A node's switch that tells the sampling agent before the node goes off, and when it has come on.
 * Thread safe.
 *
 * @param inner switches
 * @param node its name
 * @param presence is told; may change from order to order
 * @param pid of the process that was started last
 */
record ToldSwitch(PowerSwitch inner, String node, Supplier<NodePresence> presence, LongSupplier pid)
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
    inner.on();
    presence.get().cameBack(node, pid.getAsLong());
  }

  @Override
  public void off() throws InterruptedException {
    presence.get().mayGoOff(node);
    inner.off();
  }

  @Override
  public boolean canForce() {
    return inner.canForce();
  }

  @Override
  public void forceOff() throws InterruptedException {
    presence.get().mayGoOff(node);
    inner.forceOff();
  }
}
