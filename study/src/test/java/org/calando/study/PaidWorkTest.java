package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.energy.EnergySummary;
import org.calando.core.energy.NodeEnergy;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;
import org.calando.core.store.DeferralFigures;
import org.calando.core.workload.StalenessOracle;
import org.calando.load.Backlog;
import org.calando.load.EndReason;
import org.calando.load.LoadResult;
import org.calando.power.MeterInfo;
import org.calando.power.PhaseEnergy;
import org.junit.jupiter.api.Test;

class PaidWorkTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PROMISED = 500_000_000L;

  @Test
  void workIsWhatTheStoreHasAcknowledged() {
    // 1000 operations, 100 of them errors; 60 of the writes were lost and 40 had not been sent.
    ResultRow row = row(run(Optional.of(figures(60, 40)), SECOND), 0);
    assertThat(row.get("ops_per_joule")).isEqualTo("10");
    assertThat(List.of(row.get("promised_ms"), row.get("fresh_share"), row.get("sla_per_budget")))
        .containsOnly("");
  }

  @Test
  void aPromiseThatIsKeptIsWorthItsShareOverTheJoulesOfAThousandOperations() {
    ResultRow row = row(run(Optional.of(figures(0, 0).kept(992, 0)), SECOND), PROMISED);
    assertThat(row.get("promised_ms")).isEqualTo("500");
    assertThat(row.get("fresh_share")).isEqualTo("0.992");
    // 80 J for 900 operations: 88.9 J for a thousand.
    assertThat(row.get("sla_per_budget")).isEqualTo("0.01116");
  }

  @Test
  void oneThatIsBrokenIsWorthNothing() {
    ResultRow row = row(run(Optional.of(figures(0, 0).kept(989, 0)), SECOND), PROMISED);
    assertThat(row.get("fresh_share")).isEqualTo("0.989");
    assertThat(row.get("sla_per_budget")).isEqualTo("0");
  }

  @Test
  void whatIsNotKnownIsEmpty() {
    ResultRow noFreshness = row(run(Optional.empty(), SECOND), PROMISED);
    assertThat(noFreshness.get("promised_ms")).isEqualTo("500");
    assertThat(noFreshness.get("fresh_share")).isEmpty();
    assertThat(noFreshness.get("sla_per_budget")).isEmpty();
    assertThat(noFreshness.get("ops_per_joule")).isEqualTo("11.25");
    ResultRow halfTheEnergy =
        row(run(Optional.of(figures(0, 0).kept(1000, 0)), SECOND / 2), PROMISED);
    assertThat(halfTheEnergy.get("fresh_share")).isEqualTo("1");
    assertThat(halfTheEnergy.get("ops_per_joule")).isEmpty();
    assertThat(halfTheEnergy.get("sla_per_budget")).isEmpty();
  }

  private static ResultRow row(MeasuredRun run, long promisedNanos) {
    ResultRow row = new ResultRow();
    PaidWork.set(row, run, promisedNanos);
    return row;
  }

  private static DeferralFigures figures(long failed, long atRisk) {
    return new DeferralFigures(1000 - failed - atRisk, 1, 2, 3, 20, failed, 0, 50, atRisk);
  }

  /** 1000 operations with 100 errors; a node of 80 W for a second, so much of it covered. */
  private static MeasuredRun run(Optional<DeferralFigures> figures, long coveredNanos) {
    LoadResult load =
        new LoadResult(
            EndReason.OPERATIONS_DONE,
            "done",
            0,
            1000,
            100,
            0,
            0,
            Map.of(),
            List.of(),
            0,
            SECOND,
            Backlog.NONE,
            Map.of());
    NodeEnergy node = new NodeEnergy("n1", SECOND, coveredNanos, 0, 80, 75, 1, 5);
    return new MeasuredRun(
        load,
        new StalenessOracle(StalenessOracle.Config.of(10, 2, 2)).snapshot(),
        null,
        Optional.of(
            new PhaseEnergy(
                "measured", 0, SECOND, EnergySummary.of(List.of(node)), 0.1, List.of())),
        Optional.of(new MeterInfo("model", Provenance.MODELLED, Scope.NODE, "10 ms", true)),
        Double.NaN,
        1,
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        figures,
        OptionalLong.empty(),
        Optional.empty(),
        List.of());
  }
}
