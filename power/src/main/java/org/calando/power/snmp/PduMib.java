package org.calando.power.snmp;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where the outlets' figures are among a unit's objects. Immutable and thread safe.
 *
 * @param name as in a study: {@code apc}
 * @param source the MIB that defines the objects, for reports
 * @param power an outlet's power, in watts
 * @param energy an outlet's energy counter, in joules
 * @param modelled true if the power is not measured but follows from something else
 */
public record PduMib(
    String name,
    String source,
    Optional<Quantity> power,
    Optional<Quantity> energy,
    boolean modelled) {
  private static final double KWH_JOULES = 3.6e6;
  private static final double WH_JOULES = 3.6e3;
  private static final int RARITAN_POWER = 5;
  private static final int RARITAN_ENERGY = 8;
  private static final int RARITAN_WATT = 3;
  private static final int RARITAN_WATT_HOUR = 5;

  /** Checks that there is something to read. */
  public PduMib {
    if (power.isEmpty() && energy.isEmpty()) {
      throw new IllegalArgumentException("neither power nor energy");
    }
  }

  /**
   * A figure of an outlet.
   *
   * @param object name of the object in its MIB, for messages
   * @param oid numeric object identifier, with {@code {outlet}} for the outlet's number
   * @param scale watts or joules of one unit, above 0
   * @param bits 32 or 64, the width of a counter
   * @param sensor what else describes the figure
   */
  public record Quantity(
      String object, String oid, double scale, int bits, Optional<Sensor> sensor) {
    private static final Pattern OID =
        Pattern.compile("[0-2]\\.\\d{1,10}(\\.(\\d{1,10}|\\{outlet})){1,120}");
    private static final long MAX_ARC = 0xFFFF_FFFFL;

    /** Checks the identifier, the scale and the width. */
    public Quantity {
      oid = oid.startsWith(".") ? oid.substring(1) : oid;
      if (!isOid(oid) || !(scale > 0) || (bits != 32 && bits != 64)) {
        throw new IllegalArgumentException(object + " is wrong: " + oid + ", " + scale);
      }
    }

    /** A figure that needs no further description. */
    public Quantity(String object, String oid, double scale) {
      this(object, oid, scale, 32, Optional.empty());
    }

    /** Whether a text is a numeric object identifier, perhaps with {@code {outlet}} in it. */
    public static boolean isOid(String text) {
      String bare = text.startsWith(".") ? text.substring(1) : text;
      if (!OID.matcher(bare).matches()) {
        return false;
      }
      for (String arc : bare.split("\\.", -1)) {
        if (!arc.startsWith("{") && Long.parseLong(arc) > MAX_ARC) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * Objects that tell how a sensor's figure is to be read; all with {@code {outlet}}.
   *
   * @param availableOid 1 if the sensor has a figure, 2 if not
   * @param digitsOid decimal digits of the figure
   * @param unitOid the figure's unit
   * @param unit what the unit must be
   */
  public record Sensor(String availableOid, String digitsOid, String unitOid, int unit) {}

  /** APC units whose outlets are metered, of the second generation (AP84xx, AP86xx). */
  public static PduMib apc() {
    String row = "1.3.6.1.4.1.318.1.1.26.9.4.3.1";
    return new PduMib(
        "apc",
        "PowerNet-MIB",
        Optional.of(new Quantity("rPDU2OutletMeteredStatusPower", row + ".7.{outlet}", 1)),
        Optional.of(
            new Quantity("rPDU2OutletMeteredStatusEnergy", row + ".11.{outlet}", 0.1 * KWH_JOULES)),
        false);
  }

  /**
   * APC units of the first generation, which show the current of an outlet in 0.1 A. Volts times
   * amperes are not watts: the figure is modelled, and too high by the power factor.
   *
   * @param volts the mains' voltage, above 0
   */
  public static PduMib apcOld(double volts) {
    return new PduMib(
        "apc-old",
        "PowerNet-MIB",
        Optional.of(
            new Quantity(
                "rPDUOutletStatusLoad", "1.3.6.1.4.1.318.1.1.12.3.5.1.1.7.{outlet}", 0.1 * volts)),
        Optional.empty(),
        true);
  }

  /**
   * Eaton ePDU of generation 2 and later.
   *
   * @param unit place in the daisy chain, 0 for the first or only one
   */
  public static PduMib eaton(int unit) {
    String row = "1.3.6.1.4.1.534.6.6.7.6.5.1";
    String index = "." + unit + ".{outlet}";
    return new PduMib(
        "eaton",
        "EATON-EPDU-MIB",
        Optional.of(new Quantity("outletWatts", row + ".3" + index, 1)),
        Optional.of(new Quantity("outletWh", row + ".4" + index, WH_JOULES)),
        false);
  }

  /**
   * Raritan PX2, PX3 and later, whose outlet sensors tell their unit and decimal digits.
   *
   * @param unit the PDU's number behind one address, 1 for the first or only one
   */
  public static PduMib raritan(int unit) {
    return new PduMib(
        "raritan",
        "PDU2-MIB",
        Optional.of(raritanSensor("activePower", unit, RARITAN_POWER, 1, RARITAN_WATT)),
        Optional.of(
            raritanSensor("activeEnergy", unit, RARITAN_ENERGY, WH_JOULES, RARITAN_WATT_HOUR)),
        false);
  }

  private static Quantity raritanSensor(
      String object, int pdu, int type, double scale, int sensorUnit) {
    String index = "." + pdu + ".{outlet}." + type;
    String measured = "1.3.6.1.4.1.13742.6.5.4.3.1";
    String configured = "1.3.6.1.4.1.13742.6.3.5.4.1";
    return new Quantity(
        object,
        measured + ".4" + index,
        scale,
        32,
        Optional.of(
            new Sensor(
                measured + ".2" + index,
                configured + ".7" + index,
                configured + ".6" + index,
                sensorUnit)));
  }
}
