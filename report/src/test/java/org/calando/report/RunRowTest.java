package org.calando.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RunRowTest {
  @Test
  void joulesArePerSuccessfulOperationGrossAndNet() {
    RunRow row =
        new RunRow(
            Map.of("operations", "1500", "errors", "500", "energy_j", "300", "energy_net_j", "20"));
    assertThat(row.joulesPerKop()).isEqualTo(300);
    assertThat(row.netJoulesPerKop()).isEqualTo(20);
  }

  @Test
  void withoutASuccessThereIsNoFigure() {
    RunRow row = new RunRow(Map.of("operations", "5", "errors", "5", "energy_j", "300"));
    assertThat(row.joulesPerKop()).isNaN();
    assertThat(row.netJoulesPerKop()).isNaN();
  }
}
