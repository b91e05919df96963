package org.calando.knob.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.knob.level.Promise.Verdict;
import org.calando.report.Configuration;
import org.calando.report.Results;
import org.calando.report.RunRow;
import org.junit.jupiter.api.Test;

class AdaptiveScenarioTest {
  private final List<RunRow> rows = new ArrayList<>();

  @Test
  void regretIsAgainstTheBestFixedMixOfTheSameBlock() {
    for (int block = 1; block <= 2; block++) {
      level("ONE", "ONE", block, 0.12);
      level("QUORUM", "ONE", block, block == 1 ? 0.03 : 0.04);
      level("ALL", "ONE", block, 0);
    }
    policy(1, 2, 0.04);
    policy(2, 2, 0.05);
    AdaptiveScenario scenario = scenario(0);
    Configuration policy = scenario.policies().get(0);
    // 5 % lies 7/9 of the way from 12 to 3 %, and 7/8 of the way from 12 to 4 %.
    assertThat(scenario.best(policy).min()).isCloseTo(1 + 7.0 / 9, within(1e-9));
    assertThat(scenario.best(policy).max()).isCloseTo(1.875, within(1e-9));
    assertThat(scenario.regret(policy).mean()).isCloseTo((2.0 / 9 + 0.125) / 2, within(1e-9));
    assertThat(scenario.promise(policy).stale().mean()).isCloseTo(0.045, within(1e-12));
    assertThat(scenario.promise(policy).verdict()).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void levelsWithOtherWritesAreNoPartOfTheMixButMayBeTheStrongLevel() {
    level("ONE", "ONE", 1, 0.12);
    level("QUORUM", "QUORUM", 1, 0);
    policy(1, 2, 0.04);
    AdaptiveScenario scenario = scenario(3);
    Configuration policy = scenario.policies().get(0);
    assertThat(scenario.regret(policy).present()).isFalse();
    assertThat(scenario.strong(policy)).map(Configuration::label).contains("QUORUM");
    assertThat(scenario.one(policy)).map(Configuration::label).contains("ONE");
  }

  @Test
  void strongLevelIsTheWeakestWhoseReadsMeetEveryWrite() {
    level("ONE", "ONE", 1, 0.12);
    level("QUORUM", "ONE", 1, 0.03);
    level("ALL", "ONE", 1, 0);
    policy(1, 3, 0);
    AdaptiveScenario scenario = scenario(0);
    Configuration policy = scenario.policies().get(0);
    assertThat(scenario.replicas()).isEqualTo(3);
    assertThat(scenario.strong(policy)).map(Configuration::label).contains("ALL/ONE");
    assertThat(scenario.isAlmostStrong(policy)).isTrue();
  }

  @Test
  void policyThatEverReadsWeakerIsAdaptive() {
    level("ALL", "ONE", 1, 0);
    policy(1, 2.9, 0);
    assertThat(scenario(0).isAlmostStrong(scenario(0).policies().get(0))).isFalse();
  }

  @Test
  void staticLevelsAloneAreNoScenario() {
    level("ONE", "ONE", 1, 0.1);
    assertThat(AdaptiveScenario.all(Results.of(rows), 3)).isEmpty();
  }

  @Test
  void policiesStandAfterEveryStaticLevel() {
    policy(1, 2, 0);
    level("ALL", "ALL", 1, 0);
    level("ONE", "ONE", 1, 0);
    assertThat(Results.of(rows).configurations())
        .extracting(Configuration::label)
        .containsExactly("ONE", "ALL", "pbs(5%)/ONE");
  }

  @Test
  void replicasOfALevelFollowFromTheReplicationFactor() {
    assertThat(AskedReplicas.replicas("LOCAL_QUORUM", 5)).isEqualTo(3);
    assertThat(AskedReplicas.replicas("QUORUM", 0)).isZero();
    assertThat(AskedReplicas.replicas("ALL", 3)).isEqualTo(3);
    assertThat(AskedReplicas.replicas("TWO", 0)).isEqualTo(2);
    assertThat(AskedReplicas.replicas("harmony(5%)", 3)).isZero();
  }

  private AdaptiveScenario scenario(int replication) {
    List<AdaptiveScenario> all = AdaptiveScenario.all(Results.of(rows), replication);
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  private void level(String reads, String writes, int block, double stale) {
    int asked = List.of("ONE", "QUORUM", "ALL").indexOf(reads) + 1;
    String both = reads.equals(writes) ? reads : reads + "/" + writes;
    rows.add(row(both, reads, writes, block, asked, stale));
  }

  private void policy(int block, double asked, double stale) {
    RunRow row = row("pbs(5%)/ONE", "pbs(5%)", "ONE", block, asked, stale);
    Map<String, String> cells = new LinkedHashMap<>(row.cells());
    cells.put("policy", "pbs");
    cells.put("tolerated", "0.05");
    rows.add(new RunRow(cells));
  }

  private static RunRow row(
      String consistency, String reads, String writes, int block, double asked, double stale) {
    Map<String, String> cells = new LinkedHashMap<>();
    cells.put("run", consistency + block);
    cells.put("rate", "400/s");
    cells.put("consistency", consistency);
    cells.put("read_level", reads);
    cells.put("write_level", writes);
    cells.put("repeat", Integer.toString(block));
    cells.put("mean_replicas", Double.toString(asked));
    cells.put("stale_rate", Double.toString(stale));
    cells.put("status", "ok");
    return new RunRow(cells);
  }
}
