package org.calando.core.energy;

/**
 * What energy costs: money and greenhouse gas of the joules that nodes used, with what the building
 * uses on top of them. Immutable and thread safe.
 *
 * <p>Nodes' joules are those of the IT equipment; power usage effectiveness (PUE, ISO/IEC 30134-2)
 * is the energy of the whole data centre over that of its IT equipment, so both figures are of
 * joules times PUE.
 *
 * @param pricePerKwh money for a kilowatt-hour, 0 or more; NaN if unknown
 * @param currency ISO 4217 code of the money, empty without a price
 * @param carbonGramsPerKwh grams of CO2 equivalents for a kilowatt-hour, 0 or more; NaN if unknown
 * @param pue power usage effectiveness, 1 or more
 */
public record EnergyPricing(
    double pricePerKwh, String currency, double carbonGramsPerKwh, double pue) {
  /** Nothing known, and nothing but the nodes counted. */
  public static final EnergyPricing NONE = new EnergyPricing(Double.NaN, "", Double.NaN, 1);

  private static final double JOULES_PER_KWH = 3.6e6;

  public EnergyPricing {
    if (pricePerKwh < 0 || carbonGramsPerKwh < 0 || !(pue >= 1) || Double.isInfinite(pue)) {
      throw new IllegalArgumentException(
          "price " + pricePerKwh + ", carbon " + carbonGramsPerKwh + ", pue " + pue);
    }
  }

  /** Kilowatt-hours of some joules, without PUE; NaN of NaN. */
  public static double kwh(double joules) {
    return joules / JOULES_PER_KWH;
  }

  /** Money, in {@link #currency}, for the nodes' joules times PUE; NaN if either is unknown. */
  public double cost(double joules) {
    return kwh(joules) * pue * pricePerKwh;
  }

  /** Grams of CO2 equivalents for the nodes' joules times PUE; NaN if either is unknown. */
  public double co2eGrams(double joules) {
    return kwh(joules) * pue * carbonGramsPerKwh;
  }
}
