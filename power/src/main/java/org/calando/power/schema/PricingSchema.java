package org.calando.power.schema;

import static org.calando.schema.Types.number;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.energy.EnergyPricing;
import org.calando.schema.Key;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Units;
import org.calando.schema.Values;

/** What {@code power} may say of money and greenhouse gas. */
final class PricingSchema {
  private static final String NUMBER = "\\d{1,9}(?:\\.\\d{1,9})?";
  private static final String MONEY = NUMBER + " ?[A-Z]{3}";
  private static final String INTENSITY = NUMBER + " ?k?g/kWh";
  private static final Pattern MONEY_PARTS = Pattern.compile("(" + NUMBER + ") ?([A-Z]{3})");
  private static final Pattern INTENSITY_PARTS = Pattern.compile("(" + NUMBER + ") ?(k?)g/kWh");
  private static final double MAX_PUE = 10;
  private static final double GRAMS_PER_KG = 1000;

  private record Price(double amount, String currency) {}

  private static final Key<Price> PRICE =
      Key.of("price-per-kwh", price(), "Money for a kilowatt-hour, for the column cost.")
          .example("0.30 EUR");
  private static final Key<Double> CARBON =
      Key.of(
              "carbon-intensity",
              intensity(),
              "CO2 equivalents of a kilowatt-hour, for the column co2e_g.")
          .example("400 g/kWh");
  private static final Key<Double> PUE =
      Key.of(
              "pue",
              number(1, MAX_PUE),
              "Power usage effectiveness: the data centre's energy over its nodes'; cost and co2e_g"
                  + " are of the former.")
          .byDefault("1")
          .example("1.5");

  static final Key<?>[] KEYS = {PRICE, CARBON, PUE};

  private PricingSchema() {}

  /** What the keys say. */
  static EnergyPricing pricing(Values power) {
    return new EnergyPricing(
        power.find(PRICE).map(Price::amount).orElse(Double.NaN),
        power.find(PRICE).map(Price::currency).orElse(""),
        power.find(CARBON).orElse(Double.NaN),
        power.get(PUE));
  }

  private static ScalarType<Price> price() {
    return new ScalarType<>(
        "a price",
        "a number and the currency's three letters",
        scalar -> {
          Matcher parts = MONEY_PARTS.matcher(scalar.text());
          if (!parts.matches()) {
            throw new Refusal("is not a price", "write it with its currency: 0.30 EUR");
          }
          return new Price(Double.parseDouble(parts.group(1)), parts.group(2));
        },
        price -> Units.formatNumber(price.amount()) + " " + price.currency(),
        Map.of("type", "string", "pattern", "^" + MONEY + "$"));
  }

  private static ScalarType<Double> intensity() {
    return new ScalarType<>(
        "a carbon intensity",
        "g/kWh or kg/kWh",
        scalar -> {
          Matcher parts = INTENSITY_PARTS.matcher(scalar.text());
          if (!parts.matches()) {
            throw new Refusal(
                "is not a carbon intensity", "write it with its unit: 400 g/kWh, 0.4 kg/kWh");
          }
          double amount = Double.parseDouble(parts.group(1));
          return parts.group(2).isEmpty() ? amount : amount * GRAMS_PER_KG;
        },
        grams -> Units.formatNumber(grams) + " g/kWh",
        Map.of("type", "string", "pattern", "^" + INTENSITY + "$"));
  }
}
