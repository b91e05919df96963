package org.calando.power.ipmi;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSource;
import org.calando.power.Ticker;

/**
 * The power of a machine as its management controller shows it over IPMI, read with Debian's {@code
 * ipmitool}. Immutable and thread safe.
 *
 * @param bmc the controller
 * @param mode what is asked
 * @param sensors names of the sensors to be added up; empty to find them by their names. Not with
 *     {@link Mode#DCMI}.
 */
public record IpmiSource(IpmiAddress bmc, Mode mode, List<String> sensors) implements PowerSource {
  private static final long OPENING_NANOS = TimeUnit.SECONDS.toNanos(40);

  /** What is asked for the power. */
  public enum Mode {
    /** DCMI, else sensors; sensors if some are named. */
    AUTO,
    /** DCMI's power reading of the whole platform. */
    DCMI,
    /** Sensors in watts. */
    SENSOR
  }

  /** Copies the list. */
  public IpmiSource {
    sensors = List.copyOf(sensors);
    if (mode == Mode.DCMI && !sensors.isEmpty()) {
      throw new IllegalArgumentException("DCMI has no sensors to be named");
    }
  }

  /** A controller, asked for the best that it has. */
  public static IpmiSource of(IpmiAddress bmc) {
    return new IpmiSource(bmc, Mode.AUTO, List.of());
  }

  @Override
  public String kind() {
    return "ipmi";
  }

  @Override
  public String describe() {
    return "ipmi "
        + bmc.describe()
        + (sensors.isEmpty() ? "" : ", sensors " + String.join(", ", sensors));
  }

  /**
   * Finds out how the controller tells its power, which takes up to some seconds.
   *
   * @throws MeterException if ipmitool or the controller is missing, refuses the user, or shows no
   *     power
   */
  @Override
  public PowerProbe open(Ticker ticker) throws MeterException {
    IpmiSession session = new IpmiSession(bmc, ticker);
    try {
      return IpmiProbe.open(this, session, ticker, ticker.nanos() + OPENING_NANOS);
    } catch (MeterException e) {
      session.close();
      throw e;
    } catch (InterruptedException e) {
      session.close();
      Thread.currentThread().interrupt();
      throw IpmiProblems.problem(bmc, "opening was interrupted", "");
    }
  }
}
