package org.calando.power.snmp;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.calando.power.MeterException;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.Counter64;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.UnsignedInteger32;
import org.snmp4j.smi.Variable;

/** One figure of one outlet: what to ask for, and what the answers mean. Immutable. */
final class OutletFigure {
  /** More than any outlet that feeds a machine can carry: 63 A at 400 V. */
  static final double MAX_WATTS = 25_200;

  private static final Pattern DECIMAL = Pattern.compile("\\d{1,15}(\\.\\d{1,9})?");
  private static final long AVAILABLE = 1;
  private static final long MAX_DIGITS = 9;

  private final SnmpFeed feed;
  private final PduMib.Quantity quantity;

  OutletFigure(SnmpFeed feed, PduMib.Quantity quantity) {
    this.feed = feed;
    this.quantity = quantity;
  }

  /** Watts, and when they were shown. */
  record Watts(double watts, long atNanos) {}

  /** Units of a counter, and when they were shown. */
  record Count(long units, long atNanos) {}

  /** What to ask for with each sample. */
  Set<OID> live() {
    Set<OID> oids = new LinkedHashSet<>();
    oids.add(oid(quantity.oid()));
    quantity.sensor().ifPresent(sensor -> oids.add(oid(sensor.availableOid())));
    return oids;
  }

  /** What to ask for at first: also what does not change. */
  Set<OID> all() {
    Set<OID> oids = live();
    quantity.sensor().ifPresent(sensor -> oids.add(oid(sensor.digitsOid())));
    quantity.sensor().ifPresent(sensor -> oids.add(oid(sensor.unitOid())));
    return oids;
  }

  private OID oid(String template) {
    return new OID(template.replace("{outlet}", String.valueOf(feed.outlet())));
  }

  /**
   * Watts or joules of one unit, from answers to {@link #all}.
   *
   * @throws MeterException if the device does not tell, or tells another unit
   */
  double scale(SnmpAnswers answers) throws MeterException {
    if (quantity.sensor().isEmpty()) {
      return quantity.scale();
    }
    PduMib.Sensor sensor = quantity.sensor().get();
    long unit = whole(answers, sensor.unitOid());
    if (unit != sensor.unit()) {
      throw problem(
          sensor.unitOid(), "its unit is " + unit + ", not " + sensor.unit(), "check mib");
    }
    long digits = whole(answers, sensor.digitsOid());
    if (digits < 0 || digits > MAX_DIGITS) {
      throw problem(sensor.digitsOid(), "has " + digits + " decimal digits", "check mib");
    }
    return quantity.scale() / Math.pow(10, (double) digits);
  }

  /**
   * The figure in watts.
   *
   * @throws MeterException if the device has none, or one that cannot be
   */
  Watts watts(SnmpAnswers answers, double scale) throws MeterException {
    requireAvailable(answers);
    Variable value = value(answers, quantity.oid());
    double watts = decimal(value) * scale;
    if (!(watts >= 0)) {
      throw problem(
          quantity.oid(),
          "shows '" + value + "', which is no power; -1 means that it is not metered",
          "check that this outlet is metered, and mib");
    }
    if (watts > MAX_WATTS) {
      throw problem(
          quantity.oid(), "shows " + watts + " W, more than an outlet carries", "check its scale");
    }
    return new Watts(watts, atNanos(answers));
  }

  /**
   * The counter, in its units.
   *
   * @throws MeterException if the device has none, or one that does not fit into its bits
   */
  Count counter(SnmpAnswers answers) throws MeterException {
    requireAvailable(answers);
    long units = whole(answers, quantity.oid());
    if (units < 0 || units >= modulus()) {
      throw problem(
          quantity.oid(),
          "shows " + units + ", which does not fit a counter of " + quantity.bits() + " bits",
          "check that this outlet is metered, and mib");
    }
    return new Count(units, atNanos(answers));
  }

  /** Units in a lap of the counter. */
  long modulus() {
    return quantity.bits() == Integer.SIZE ? 1L << Integer.SIZE : Long.MAX_VALUE;
  }

  private void requireAvailable(SnmpAnswers answers) throws MeterException {
    if (quantity.sensor().isPresent()
        && whole(answers, quantity.sensor().get().availableOid()) != AVAILABLE) {
      throw problem(
          quantity.sensor().get().availableOid(),
          "the sensor has no figure now",
          "check that this outlet is metered");
    }
  }

  private long atNanos(SnmpAnswers answers) {
    SnmpAnswers.Answer answer = answers.find(oid(quantity.oid()));
    return answer == null ? 0 : answer.atNanos();
  }

  private Variable value(SnmpAnswers answers, String template) throws MeterException {
    SnmpAnswers.Answer answer = answers.find(oid(template));
    if (answer == null) {
      throw problem(template, "the PDU left it out of its answer", "check mib");
    }
    Variable value = answer.value();
    if (value == null) {
      throw problem(template, "the PDU answers " + answer.error(), "check the PDU's log");
    }
    if (value.isException()) {
      throw problem(
          template,
          "the PDU has no such object",
          "check outlet and mib, and that this model meters its outlets");
    }
    return value;
  }

  /** The value of a number of any type or of a text that is one; NaN otherwise. */
  private static double decimal(Variable value) {
    if (value instanceof OctetString text) {
      String plain = new String(text.getValue(), StandardCharsets.US_ASCII).strip();
      return DECIMAL.matcher(plain).matches() ? Double.parseDouble(plain) : Double.NaN;
    }
    BigInteger number = integer(value);
    return number == null ? Double.NaN : number.doubleValue();
  }

  private long whole(SnmpAnswers answers, String template) throws MeterException {
    Variable value = value(answers, template);
    BigInteger number = integer(value);
    if (number == null || number.bitLength() >= Long.SIZE) {
      throw problem(
          template,
          "is '" + value + "' of type " + value.getSyntaxString() + ", not a counter",
          "check mib");
    }
    return number.longValue();
  }

  private static @Nullable BigInteger integer(Variable value) {
    if (value instanceof Counter64) {
      return new BigInteger(Long.toUnsignedString(value.toLong()));
    }
    // Gauges and counters of 32 bits are unsigned integers too.
    if (value instanceof Integer32 || value instanceof UnsignedInteger32) {
      return BigInteger.valueOf(value.toLong());
    }
    return null;
  }

  private MeterException problem(String template, String what, String remedy) {
    String object = quantity.object() + " " + oid(template);
    return new MeterException(object + ": " + what, feed.where(), remedy);
  }
}
