package org.calando.power.ipmi;

import java.util.List;
import java.util.Locale;
import org.calando.power.MeterException;
import org.calando.power.Ticker;

/**
 * A machine's power switch as its controller sees it. Immutable and thread safe.
 *
 * @param bmc the controller
 */
public record IpmiChassis(IpmiAddress bmc) {
  /** The command that asks for the state. */
  static final String COMMAND = "chassis power status";

  /** Whether a machine is switched on. */
  public enum PowerState {
    /** Switched on, whatever it does. */
    ON,
    /** Switched off; only the controller runs. */
    OFF
  }

  /** What its switch can be told; the user needs the privilege operator. */
  public enum Order {
    /** Power on; changes nothing where it is on. */
    ON("on", "Up/On"),
    /** The system is asked to shut down, which it may ignore. */
    SOFT_OFF("soft", "Soft"),
    /** Power off, at once. */
    FORCE_OFF("off", "Down/Off");

    private final String word;
    private final String confirmation;

    Order(String word, String confirmation) {
      this.word = word;
      this.confirmation = confirmation;
    }

    String command() {
      return "chassis power " + word;
    }

    private boolean isTakenBy(String line) {
      return line.equalsIgnoreCase("Chassis Power Control: " + confirmation);
    }
  }

  /**
   * Asks the controller in a session of its own; changes nothing.
   *
   * @param deadlineNanos when to give up, on the ticker; a session takes real controllers a second
   * @throws MeterException if the controller does not tell
   */
  public PowerState powerState(Ticker ticker, long deadlineNanos)
      throws MeterException, InterruptedException {
    try (IpmiSession session = new IpmiSession(bmc, ticker)) {
      return parse(bmc, session.run(COMMAND, deadlineNanos));
    }
  }

  /**
   * Gives the controller an order in a session of its own. That it was taken does not mean that it
   * was carried out: see {@link #powerState}.
   *
   * @param deadlineNanos when to give up, on the ticker
   * @throws MeterException if the controller does not take it
   */
  public void order(Order order, Ticker ticker, long deadlineNanos)
      throws MeterException, InterruptedException {
    try (IpmiSession session = new IpmiSession(bmc, ticker)) {
      requireTaken(bmc, order, session.run(order.command(), deadlineNanos));
    }
  }

  static void requireTaken(IpmiAddress address, Order order, List<String> output)
      throws MeterException {
    if (output.stream().noneMatch(order::isTakenBy)) {
      throw IpmiProblems.refused(address, order.command(), output);
    }
  }

  static PowerState parse(IpmiAddress address, List<String> output) throws MeterException {
    for (String line : output) {
      String text = line.toLowerCase(Locale.ROOT);
      if (text.startsWith("chassis power is on")) {
        return PowerState.ON;
      }
      if (text.startsWith("chassis power is off")) {
        return PowerState.OFF;
      }
    }
    throw IpmiProblems.problem(
        address, "the controller does not report whether the machine is on", "try again");
  }
}
