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
        address, "the controller does not tell whether the machine is on", "try again");
  }
}
