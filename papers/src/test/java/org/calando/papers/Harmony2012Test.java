package org.calando.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.report.Paper;
import org.calando.report.PublishedClaim;
import org.calando.report.RunRow;
import org.junit.jupiter.api.Test;

class Harmony2012Test {
  private static final String PAPER = Harmony2012.GRID5000;
  private static final List<Integer> THREADS = List.of(1, 40, 90, 100);

  private final List<RunRow> rows = new ArrayList<>();

  @Test
  void theOrderOfThroughputAndTheGainOverStrongReadsAreJudged() {
    levels(1000, 1450, 1990, 2000);
    PublishedClaim order = claim("throughput, order: ALL, Harmony more and less strict, ONE");
    assertThat(order.verdict()).isEqualTo("reproduced");
    assertThat(order.ours()).isEqualTo(1);
    assertThat(order.source()).endsWith("Figure 5(c)");
    PublishedClaim gain =
        claim("throughput, harmony(20%, Tp 0.13ms)/ONE against ALL/ONE, ycsb-a, 90 threads");
    assertThat(gain.ours()).isCloseTo(1.45, within(0.01));
    assertThat(gain.verdict()).isEqualTo("reproduced");
    assertThat(claim("p99 of reads, order: ONE, Harmony less and more strict, ALL").verdict())
        .isEqualTo("reproduced");
  }

  @Test
  void whatFallsIsNamed() {
    levels(1000, 1450, 1200, 2000);
    PublishedClaim order = claim("throughput, order: ALL, Harmony more and less strict, ONE");
    assertThat(order.verdict()).isEqualTo("in part");
    assertThat(order.ours()).isCloseTo(2 / 3.0, within(1e-9));
    assertThat(order.note())
        .contains(
            "ycsb-a, harmony(40%)/ONE, 90 threads below ycsb-a, harmony(20%, Tp 0.13ms)/ONE, 90"
                + " threads");
  }

  @Test
  void staleReadsMayBeNone() {
    levels(1000, 1450, 1990, 2000);
    PublishedClaim fewer =
        claim(
            "stale reads, share, fewer with harmony(20%, Tp 0.13ms)/ONE than with ONE, ycsb-a, 90"
                + " threads");
    assertThat(fewer.published()).isEqualTo(0.8);
    assertThat(fewer.ours()).isEqualTo(1);
    assertThat(fewer.verdict()).isEqualTo("reproduced");
    PublishedClaim strong = claim("stale reads, share, at ALL/ONE");
    assertThat(strong.verdict()).isEqualTo("reproduced");
  }

  @Test
  void theHarmonyThatMeasuresTpStandsInWhereThereIsNoOther() {
    run("harmony(20%)/ONE", "harmony", 0.2, 90, 1, 1400, 0);
    run("harmony(20%)/ONE", "harmony", 0.2, 90, 2, 1400, 0);
    run("ALL/ONE", "", 0, 90, 1, 1000, 0);
    run("ALL/ONE", "", 0, 90, 2, 1000, 0);
    PublishedClaim gain = claim("throughput, harmony(20%)/ONE against ALL/ONE, ycsb-a, 90 threads");
    assertThat(gain.ours()).isCloseTo(1.4, within(1e-9));
  }

  @Test
  void estimatesOfTheTwoWorkloadsAreCompared() {
    for (int repeat = 1; repeat <= 3; repeat++) {
      for (int threads : THREADS) {
        estimate("ycsb-a", threads, repeat, 0.01 * threads);
        estimate("ycsb-b", threads, repeat, 0.001 * threads);
      }
    }
    assertThat(claim("published estimate, heavy reads below heavy updates, each load").verdict())
        .isEqualTo("reproduced");
    assertThat(claim("published estimate, grows with threads, ycsb-a").verdict())
        .isEqualTo("reproduced");
  }

  @Test
  void aStudyWithoutAnythingComparableDecidesNothing() {
    for (String paper : List.of(Harmony2012.GRID5000, Harmony2012.EC2)) {
      assertThat(Paper.named(paper).orElseThrow().judge(List.of()))
          .hasSizeGreaterThan(8)
          .allMatch(claim -> claim.verdict().equals("not in the study"))
          .noneMatch(claim -> claim.note().contains("share of"));
    }
  }

  /** Runs of three blocks at all loads, with these operations a second at strong .. eventual. */
  private void levels(double strong, double strict, double loose, double one) {
    for (int repeat = 1; repeat <= 3; repeat++) {
      double block = 1 + 0.001 * repeat;
      for (int threads : THREADS) {
        double load = threads * block;
        run("ALL/ONE", "", 0, threads, repeat, strong * load, 0);
        run("harmony(20%)/ONE", "harmony", 0.2, threads, repeat, strong * load, 0);
        run("harmony(20%, Tp 0.13ms)/ONE", "harmony", 0.2, threads, repeat, strict * load, 0);
        run("harmony(40%)/ONE", "harmony", 0.4, threads, repeat, loose * load, 5);
        run("ONE", "", 0, threads, repeat, one * load, 10);
      }
    }
  }

  private void estimate(String workload, int threads, int repeat, double rate) {
    run("ONE", "", 0, threads, repeat, 1, 0);
    Map<String, String> cells = new LinkedHashMap<>(rows.get(rows.size() - 1).cells());
    cells.put("workload", workload);
    cells.put("harmony_one", String.valueOf(rate));
    rows.set(rows.size() - 1, new RunRow(cells));
  }

  private void run(
      String level,
      String policy,
      double tolerated,
      int threads,
      int repeat,
      double throughput,
      int stale) {
    Map<String, String> cells = new LinkedHashMap<>();
    cells.put("workload", "ycsb-a");
    cells.put("consistency", level);
    cells.put("policy", policy);
    cells.put("tolerated", policy.isEmpty() ? "" : String.valueOf(tolerated));
    cells.put("threads", String.valueOf(threads));
    cells.put("repeat", String.valueOf(repeat));
    cells.put("throughput_ops_s", String.valueOf(throughput));
    cells.put("read_p99_us", String.valueOf(1e6 * threads / throughput));
    cells.put("reads", "1000");
    cells.put("stale_reads", String.valueOf(stale));
    cells.put("stale_rate", String.valueOf(stale / 1000.0));
    cells.put("status", "ok");
    rows.add(new RunRow(cells));
  }

  private PublishedClaim claim(String words) {
    return Paper.named(PAPER).orElseThrow().judge(rows).stream()
        .filter(claim -> claim.claim().equals(words))
        .findFirst()
        .orElseThrow();
  }
}
