package org.calando.power.redfish;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * A number that a resource shows.
 *
 * @param path the resource's
 * @param pointer where the number is in it
 * @param unit what it counts
 */
record RedfishFigure(String path, JsonPointer pointer, Unit unit) {
  /** Beyond that, decimals are artefacts of binary fractions. */
  private static final int MOST_DECIMALS = 9;

  /** Units of Redfish's power and energy. */
  enum Unit {
    WATTS(1),
    JOULES(1),
    WATT_HOURS(3600),
    KILOWATT_HOURS(3_600_000);

    private final double factor;

    Unit(double factor) {
      this.factor = factor;
    }

    /** Joules or watts of one unit. */
    double factor() {
      return factor;
    }
  }

  static RedfishFigure of(String path, String pointer, Unit unit) {
    return new RedfishFigure(path, JsonPointer.compile(pointer), unit);
  }

  /** The number, in units; empty if the resource shows none there now, or a negative one. */
  Optional<BigDecimal> read(JsonNode resource) {
    JsonNode node = resource.at(pointer);
    if (!node.isNumber() || (node.isFloatingPointNumber() && !Double.isFinite(node.asDouble()))) {
      return Optional.empty();
    }
    BigDecimal value = node.decimalValue();
    return value.signum() < 0 ? Optional.empty() : Optional.of(value);
  }

  /** Whether the resource has the number's place, be it {@code null} or not. */
  boolean isIn(JsonNode resource) {
    return !resource.at(pointer).isMissingNode();
  }

  /** The smallest step that a value's decimals let see, in joules or watts. */
  double step(BigDecimal value) {
    BigDecimal rounded = value.setScale(MOST_DECIMALS, RoundingMode.HALF_UP).stripTrailingZeros();
    return Math.pow(10, -Math.max(0, rounded.scale())) * unit.factor();
  }

  /** The number's place, for messages. */
  String describe() {
    return path + "#" + pointer;
  }
}
