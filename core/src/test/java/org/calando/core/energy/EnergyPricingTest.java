package org.calando.core.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EnergyPricingTest {
  @Test
  void aKilowattHourIsWhatAThousandWattsUseInAnHour() {
    assertThat(EnergyPricing.kwh(1000.0 * 3600)).isEqualTo(1);
  }

  @Test
  void moneyAndGasAreOfTheBuildingsEnergy() {
    EnergyPricing pricing = new EnergyPricing(0.30, "EUR", 400, 1.5);
    // 7.2 MJ are 2 kWh of the nodes and 3 kWh of the building.
    assertThat(pricing.cost(7.2e6)).isCloseTo(0.90, within(1e-12));
    assertThat(pricing.co2eGrams(7.2e6)).isCloseTo(1200, within(1e-9));
    assertThat(pricing.cost(0)).isZero();
  }

  @Test
  void whatIsUnknownStaysUnknown() {
    assertThat(EnergyPricing.NONE.cost(7.2e6)).isNaN();
    assertThat(EnergyPricing.NONE.co2eGrams(7.2e6)).isNaN();
    assertThat(new EnergyPricing(0.3, "EUR", 400, 1).cost(Double.NaN)).isNaN();
  }

  @Test
  void aBuildingUsesNoLessThanItsNodes() {
    assertThatThrownBy(() -> new EnergyPricing(0.3, "EUR", 400, 0.9))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new EnergyPricing(0.3, "EUR", 400, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new EnergyPricing(-1, "EUR", 400, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
