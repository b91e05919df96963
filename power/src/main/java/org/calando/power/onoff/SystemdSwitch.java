package org.calando.power.onoff;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.calando.core.FailedWorkException;
import org.calando.power.onoff.BoundedCommand.Outcome;

/**
 * A unit of systemd, here or on another machine, that is started and stopped: the node's server
 * rather than its machine, which draws its idle watts on. Immutable and thread safe.
 */
public final class SystemdSwitch implements PowerSwitch {
  /** A unit's name, of which no character means anything to a shell on the way to it. */
  public static final Pattern UNIT = Pattern.compile("[A-Za-z0-9:_.@][A-Za-z0-9:_.@-]{0,254}");

  /** Exit code of {@code is-active} where systemd knows no such unit (LSB: status unknown). */
  private static final int NO_SUCH_UNIT = 4;

  private final String node;
  private final String unit;
  private final List<String> systemctl;
  private final BoundedCommand runner;

  /**
   * A switch.
   *
   * @param node the node's name, for messages
   * @param unit the unit
   * @param systemctl the program with what leads to it, such as {@code ssh root@c1 systemctl}
   * @param askWithin how long one call may take
   */
  public SystemdSwitch(String node, String unit, List<String> systemctl, Duration askWithin) {
    if (!UNIT.matcher(unit).matches()) {
      throw new IllegalArgumentException("not the name of a unit: " + unit);
    }
    if (systemctl.isEmpty()) {
      throw new IllegalArgumentException("systemctl is missing");
    }
    this.node = node;
    this.unit = unit;
    this.systemctl = List.copyOf(systemctl);
    this.runner = new BoundedCommand(describe(), askWithin);
  }

  @Override
  public String describe() {
    return node + ", systemd unit " + unit;
  }

  @Override
  public State read() throws InterruptedException {
    Outcome outcome = runner.run(argv("is-active"));
    // What leads to systemctl may write lines of its own before.
    String last = outcome.output().strip();
    last = last.substring(last.lastIndexOf('\n') + 1).strip();
    if (outcome.exitCode() == NO_SUCH_UNIT) {
      throw new FailedWorkException(
          "there is no such unit", describe(), "correct the unit's name, or install it");
    }
    return switch (last) {
      case "active", "reloading", "refreshing" -> State.ON;
      case "inactive", "failed" -> State.OFF;
      case "activating", "deactivating", "maintenance" -> State.UNKNOWN;
      default ->
          throw new FailedWorkException(
              "systemctl does not report the unit's state (exit code "
                  + outcome.exitCode()
                  + "): "
                  + outcome.quoted(),
              describe(),
              "run it by hand as this user: " + String.join(" ", argv("is-active")));
    };
  }

  @Override
  public void on() throws InterruptedException {
    runner.order(argv("start", "--no-block"));
  }

  @Override
  public void off() throws InterruptedException {
    runner.order(argv("stop", "--no-block"));
  }

  @Override
  public boolean canForce() {
    return true;
  }

  /**
   * Kills every process of the unit, after an order to stop it, so that nothing starts it again.
   */
  @Override
  public void forceOff() throws InterruptedException {
    off();
    runner.order(argv("kill", "--kill-who=all", "--signal=SIGKILL"));
  }

  private List<String> argv(String... verb) {
    List<String> argv = new ArrayList<>(systemctl);
    argv.add("--no-ask-password");
    argv.addAll(List.of(verb));
    argv.add(unit);
    return argv;
  }
}
