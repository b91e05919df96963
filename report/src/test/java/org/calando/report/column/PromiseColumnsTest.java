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
import org.junit.jupiter.api.Test;

class PromiseColumnsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final double PROMISED = 500;

  @Test
  void workIsWhatTheStoreHasAcknowledged() {
    // 1000 operations, 100 of them errors; 60 of the writes were lost and 40 had not been sent.
    Map<String, String> row = row(run(Optional.of(figures(60, 40)), true), Double.NaN);
    assertThat(row.get("ops_per_joule")).isEqualTo("10");
    assertThat(List.of(row.get("promised_ms"), row.get("fresh_share"), row.get("sla_per_budget")))
        .containsOnly("");
  }

  @Test
  void aPromiseThatIsKeptIsWorthItsShareOverTheJoulesOfAThousandOperations() {
    Map<String, String> row = row(run(Optional.of(figures(0, 0).kept(992, 0)), true), PROMISED);
    assertThat(row.get("promised_ms")).isEqualTo("500");
    assertThat(row.get("fresh_share")).isEqualTo("0.992");
    // 80 J for 900 operations: 88.9 J for a thousand.
    assertThat(row.get("sla_per_budget")).isEqualTo("0.01116");
  }

  @Test
  void oneThatIsBrokenIsWorthNothing() {
    Map<String, String> row = row(run(Optional.of(figures(0, 0).kept(989, 0)), true), PROMISED);
    assertThat(row.get("fresh_share")).isEqualTo("0.989");
    assertThat(row.get("sla_per_budget")).isEqualTo("0");
  }

  @Test
  void whatIsNotKnownIsEmpty() {
    Map<String, String> noFreshness = row(run(Optional.empty(), true), PROMISED);
    assertThat(noFreshness.get("promised_ms")).isEqualTo("500");
    assertThat(noFreshness.get("fresh_share")).isEmpty();
    assertThat(noFreshness.get("sla_per_budget")).isEmpty();
    assertThat(noFreshness.get("ops_per_joule")).isEqualTo("11.25");
    Map<String, String> halfTheEnergy =
        row(run(Optional.of(figures(0, 0).kept(1000, 0)), false), PROMISED);
    assertThat(halfTheEnergy.get("fresh_share")).isEqualTo("1");
    assertThat(halfTheEnergy.get("ops_per_joule")).isEmpty();
    assertThat(halfTheEnergy.get("sla_per_budget")).isEmpty();
  }

  private static Map<String, String> row(RunRecord run, double promisedMillis) {
    return ResultColumns.row(run.give(PromiseColumns.PROMISED_MS, promisedMillis));
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
