package org.calando.power.ipmi;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.power.MeterException;

/**
 * What {@code ipmitool dcmi power reading} tells (DCMI 1.5, "Get Power Reading"): the power of the
 * whole platform.
 */
final class DcmiReading {
  /** The command. */
  static final String COMMAND = "dcmi power reading";

  private static final Pattern WATTS =
      Pattern.compile("instantaneous power reading\\s*:\\s*(\\d{1,7}(?:\\.\\d{1,6})?)\\s*w");
  private static final Pattern STATE =
      Pattern.compile("power reading state(?:\\s+is)?\\s*:\\s*([a-z]+)");
  private static final Pattern FAILED =
      Pattern.compile("dcmi request failed because: (.{1,100}?) \\(([0-9a-f]{2})\\)");

  private DcmiReading() {}

  /**
   * Reads the power now from the command's output, above 0 unless the platform is off; controllers
   * round to 1 W. Some say that they do not measure and do all the same.
   *
   * @throws MeterException if there is no figure in it
   */
  static double watts(IpmiAddress address, List<String> output) throws MeterException {
    String text = String.join("\n", output).toLowerCase(Locale.ROOT);
    Matcher watts = WATTS.matcher(text);
    if (!watts.find()) {
      throw missing(address, text);
    }
    Matcher state = STATE.matcher(text);
    boolean active = !state.find() || state.group(1).startsWith("activ");
    double reading = Double.parseDouble(watts.group(1));
    if (reading == 0 && !active) {
      throw IpmiProblems.problem(
          address,
          "DCMI's power measurement is deactivated and shows 0 W",
          "activate it on the controller (ipmitool dcmi power activate), or use mode: sensor");
    }
    return reading;
  }

  private static MeterException missing(IpmiAddress address, String text) {
    Matcher failed = FAILED.matcher(text);
    String why = failed.find() ? failed.group(1) + " (" + failed.group(2) + ")" : "no figure";
    boolean privilege = why.contains("privilege") || why.endsWith("(d4)");
    return IpmiProblems.problem(
        address,
        "DCMI reports no power: " + why,
        privilege
            ? "give the user more privilege and set privilege: operator, or use mode: sensor"
            : "use mode: sensor, or a controller with DCMI");
  }
}
