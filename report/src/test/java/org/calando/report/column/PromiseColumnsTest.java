package org.calando.report.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.energy.EnergySummary;
import org.calando.core.energy.NodeEnergy;
import org.calando.core.store.DeferralFigures;
import org.calando.report.RunRow;
import org.junit.jupiter.api.Test;

class PromiseColumnsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final double PROMISED = 500;

  @Test
  void workIsWhatTheStoreHasAcknowledged() {
    // 1000 operations, 100 of them errors; 60 of the writes were lost and 40 had not been sent.
    RunRow row = row(run(Optional.of(figures(60, 40)), true), Double.NaN);
    assertThat(row.text("ops_per_joule")).isEqualTo("10");
    assertThat(
            List.of(row.text("promised_ms"), row.text("fresh_share"), row.text("sla_per_budget")))
        .containsOnly("");
  }

  @Test
  void aPromiseThatIsKeptIsWorthItsShareOverTheJoulesOfAThousandOperations() {
    RunRow row = row(run(Optional.of(figures(0, 0).kept(992, 0)), true), PROMISED);
    assertThat(row.text("promised_ms")).isEqualTo("500");
    assertThat(row.text("fresh_share")).isEqualTo("0.992");
    // 80 J for 900 operations: 88.9 J for a thousand.
    assertThat(row.text("sla_per_budget")).isEqualTo("0.01116");
  }

  @Test
  void oneThatIsBrokenIsWorthNothing() {
    RunRow row = row(run(Optional.of(figures(0, 0).kept(989, 0)), true), PROMISED);
    assertThat(row.text("fresh_share")).isEqualTo("0.989");
    assertThat(row.text("sla_per_budget")).isEqualTo("0");
  }

  @Test
  void whatIsNotKnownIsEmpty() {
    RunRow noFreshness = row(run(Optional.empty(), true), PROMISED);
    assertThat(noFreshness.text("promised_ms")).isEqualTo("500");
    assertThat(noFreshness.text("fresh_share")).isEmpty();
    assertThat(noFreshness.text("sla_per_budget")).isEmpty();
    assertThat(noFreshness.text("ops_per_joule")).isEqualTo("11.25");
    RunRow halfTheEnergy = row(run(Optional.of(figures(0, 0).kept(1000, 0)), false), PROMISED);
    assertThat(halfTheEnergy.text("fresh_share")).isEqualTo("1");
    assertThat(halfTheEnergy.text("ops_per_joule")).isEmpty();
    assertThat(halfTheEnergy.text("sla_per_budget")).isEmpty();
  }

  private static RunRow row(RunRecord run, double promisedMillis) {
    return new RunRow(
        ResultColumns.row(run.give(PromiseColumns.PROMISED_MS, promisedMillis), List.of()));
  }

  private static DeferralFigures figures(long failed, long atRisk) {
    return new DeferralFigures(1000 - failed - atRisk, 1, 2, 3, 20, failed, 0, 50, atRisk);
  }

  /** 1000 operations with 100 errors; a node of 80 W for a second, all of it covered or not. */
  private static RunRecord run(Optional<DeferralFigures> figures, boolean whole) {
    Histogram none = new Histogram(3);
    LoadFigures load = new LoadFigures(1000, 100, 1, 900, none, none, Map.of());
    NodeEnergy node = new NodeEnergy("n1", SECOND, SECOND, 0, 80, 75, 1, 5);
    EnergySummary energy = EnergySummary.of(List.of(node));
    RunRecord run =
        new RunRecord()
            .add(load)
            .add(new EnergyFigures(energy, whole, true, 0.1, 1, EnergyPricing.NONE));
    figures.ifPresent(run::add);
    return run;
  }
}
