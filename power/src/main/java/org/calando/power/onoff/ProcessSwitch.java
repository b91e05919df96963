package org.calando.power.onoff;

/**
 * The switch of a node of a local cluster. Thread safe.
 *
 * @param process the node
 */
public record ProcessSwitch(SwitchableProcess process) implements PowerSwitch {
  @Override
  public String describe() {
    return process.name() + ", a process on this machine";
  }

  @Override
  public State read() {
    return process.isRunning() ? State.ON : State.OFF;
  }

  @Override
  public void on() throws InterruptedException {
    if (!process.isRunning()) {
      process.start();
    }
  }

  @Override
  public void off() throws InterruptedException {
    if (process.isRunning()) {
      process.stop();
    }
  }

  @Override
  public boolean canForce() {
    return true;
  }

  @Override
  public void forceOff() throws InterruptedException {
    if (process.isRunning()) {
      process.kill();
    }
  }
}
