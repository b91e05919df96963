package org.calando.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.calando.report.Paper;
import org.calando.report.PublishedClaim;
import org.calando.report.RunRow;
import org.junit.jupiter.api.Test;

class PublishedFiguresTest {
  private final List<RunRow> rows = new ArrayList<>();

  @Test
  void energyOfLevelsIsComparedBlockByBlock() {
    // Blocks differ twofold; within each, QUORUM costs 29 or 30 % more.
    run("heavy-update", "ONE", 20, 100, 200, 400);
    run("heavy-update", "QUORUM", 20, 129, 260, 516);
    PublishedClaim claim = claim("energy, QUORUM against ONE, heavy-update, 20 threads");
    assertThat(claim.published()).isEqualTo(1.29);
    assertThat(claim.ours()).isCloseTo(1.2933, within(1e-3));
    assertThat(claim.low()).isBetween(1.25, 1.29);
    assertThat(claim.verdict()).isEqualTo("reproduced");
    assertThat(claim.source()).contains("3.4.1");
    assertThat(claim.note()).contains("modelled").doesNotContain("stand for");
  }

  @Test
  void anotherNumberOfThreadsStandsInAndIsTold() {
    for (double[] speeds : new double[][] {{1000, 590}, {1010, 600}, {990, 580}}) {
      speed("moderate", "ONE", 70, speeds[0]);
      speed("moderate", "QUORUM", 70, speeds[1]);
      speed("moderate", "ONE", 20, 500);
    }
    PublishedClaim claim = claim("throughput, QUORUM against ONE, moderate, 100 threads");
    assertThat(claim.ours()).isCloseTo(0.59, within(0.01));
    assertThat(claim.note()).contains("70 threads here stand for 100");
  }

  @Test
  void aLoadThatIsFarOffStandsForNothing() {
    run("moderate", "ONE", 20, 1, 1, 1);
    run("moderate", "QUORUM", 20, 1, 1, 1);
    PublishedClaim claim = claim("throughput, QUORUM against ONE, moderate, 100 threads");
    assertThat(claim.ours()).isNaN();
    assertThat(claim.note()).contains("no such pair");
  }

  @Test
  void aChangeOfLoadNeedsTheLoadsThemselves() {
    run("moderate", "QUORUM", 20, 100, 100.5, 101);
    run("moderate", "QUORUM", 70, 50, 50.5, 51);
    assertThat(claim("energy, 70 against 20 threads, moderate, QUORUM").verdict())
        .isEqualTo("reproduced");
    PublishedClaim missing = claim("energy, 100 against 20 threads, moderate, QUORUM");
    assertThat(missing.ours()).isNaN();
    assertThat(missing.verdict()).isEqualTo("not in the study");
    assertThat(missing.note()).contains("lacks 20 or 100 threads");
  }

  @Test
  void joulesOfDifferentOriginAreNotCompared() {
    run("heavy-update", "ONE", 20, 100, 101, 102);
    run("heavy-update", "QUORUM", 20, 129, 130, 131);
    rows.replaceAll(
        row -> {
          Map<String, String> cells = new LinkedHashMap<>(row.cells());
          if (row.text("read_level").equals("ONE")) {
            cells.put("provenance", "measured");
          }
          return new RunRow(cells);
        });
    PublishedClaim claim = claim("energy, QUORUM against ONE, heavy-update, 20 threads");
    assertThat(claim.ours()).isNaN();
    assertThat(claim.verdict()).isEqualTo("not in the study");
    assertThat(claim.note()).contains("came about alike");
  }

  @Test
  void staleReadsAreTheHighestAtOneAndNoneAtTheOthers() {
    run("moderate", "ONE", 20, 1, 1, 1);
    run("heavy-update", "ONE", 70, 1, 1, 1);
    run("moderate", "ALL", 20, 1, 1, 1);
    assertThat(claim("stale reads, share, at QUORUM and ALL").verdict()).isEqualTo("undecided");
    run("moderate", "QUORUM", 20, 1, 1, 1);
    stale("heavy-update", 600);
    stale("moderate", 10);
    PublishedClaim one = claim("stale reads, share, some case at ONE");
    assertThat(one.ours()).isCloseTo(0.6, within(1e-9));
    assertThat(one.verdict()).isEqualTo("reproduced");
    assertThat(one.note()).contains("the highest of 2 cases: heavy-update, 70 threads");
    PublishedClaim never = claim("stale reads, share, at QUORUM and ALL");
    assertThat(never.ours()).isZero();
    assertThat(List.of(one.kind(), never.kind())).containsOnly(PublishedClaim.Kind.SHARE);
    assertThat(never.verdict()).isEqualTo("reproduced");
    assertThat(never.note()).contains("0 of 6000 reads");
  }

  @Test
  void whatASimulatorHoldsByConstructionOrWasFittedToIsMarked() {
    for (String level : List.of("ONE", "QUORUM", "ALL")) {
      double joules = level.equals("ONE") ? 100 : 174;
      run("moderate", level, 20, joules, joules + 1);
    }
    String never = "stale reads, share, at QUORUM and ALL";
    String all = "energy, ALL against ONE, all mixes and loads";
    assertThat(claim(never).note()).doesNotContain("by construction");
    assertThat(claim(all).note()).doesNotContain("fitted");
    set("provenance", "simulated");
    assertThat(claim(never).note()).startsWith("by construction");
    assertThat(claim(all).note()).startsWith("fitted");
    assertThat(claim("energy, ALL against ONE, moderate, 20 threads").note())
        .doesNotContain("fitted");
  }

  @Test
  void anIntervalThatIsTooWideIsUndecidedAndSaysSo() {
    run("moderate", "ONE", 20, 100, 100, 100);
    run("moderate", "ALL", 20, 130, 174, 240);
    PublishedClaim claim = claim("energy, ALL against ONE, moderate, 20 threads");
    assertThat(claim.high() / claim.low()).isGreaterThan(2);
    assertThat(claim.verdict()).isEqualTo("undecided");
    assertThat(claim.note()).startsWith("interval too wide");
  }

  @Test
  void aWideIntervalThatLeavesOutOneIsUndecidedForTheCorrection() {
    run("heavy-update", "ONE", 20, 100, 100, 100);
    run("heavy-update", "QUORUM", 20, 118, 129, 141);
    run("heavy-update", "ALL", 20, 140, 174, 216);
    PublishedClaim claim = claim("energy, ALL against ONE, heavy-update, 20 threads");
    assertThat(claim.low()).isGreaterThan(1);
    assertThat(claim.high() / claim.low()).isGreaterThan(2);
    assertThat(claim.verdict()).isEqualTo("undecided");
    assertThat(claim.note()).isNotEmpty().doesNotContain("too wide");
  }

  @Test
  void correctionForSeveralClaimsIsWithinAFinding() {
    // The p-values are 0.04 and 0.05 by themselves; with two in one finding neither counts.
    run("heavy-update", "ONE", 20, 100, 100, 100);
    run("heavy-update", "QUORUM", 20, 118, 129, 141);
    assertThat(claim("energy, QUORUM against ONE, heavy-update, 20 threads").verdict())
        .isEqualTo("reproduced");
    run("heavy-update", "ALL", 20, 140, 174, 216);
    assertThat(claim("energy, QUORUM against ONE, heavy-update, 20 threads").verdict())
        .isEqualTo("undecided");
  }

  @Test
  void aStudyWithoutAnythingComparableDecidesNothing() {
    List<PublishedClaim> claims = new PublishedFigures.OfLi2013().judge(List.of());
    assertThat(claims).hasSizeGreaterThan(12).allMatch(c -> c.verdict().equals("not in the study"));
    assertThat(PublishedClaim.tally(claims)).isEqualTo(claims.size() + " not in the study");
    assertThat(PublishedClaim.VERDICTS)
        .isEqualTo(Stream.of(Verdict.values()).map(Verdict::words).distinct().toList());
    assertThat(claims.stream().map(PublishedClaim::claim)).doesNotHaveDuplicates();
    assertThat(Paper.named("no-such-paper")).isEmpty();
    assertThat(Paper.all().stream().map(Paper::name))
        .containsExactly(
            "li-2013",
            "harmony-2012-grid5000",
            "harmony-2012-ec2",
            "concerto-2021",
            "garcia-recuero-2014");
  }

  @Test
  void levelsOverAllMixesAndLoadsAreSummedInEachBlock() {
    run("heavy-update", "ONE", 20, 100, 110);
    run("moderate", "ONE", 70, 100, 110);
    run("heavy-update", "QUORUM", 20, 128, 142);
    run("moderate", "QUORUM", 70, 130, 142);
    PublishedClaim claim = claim("energy, QUORUM against ONE, all mixes and loads");
    assertThat(claim.ours()).isCloseTo(1.29, within(0.002));
    assertThat(claim.error()).isCloseTo(0, within(0.002));
    assertThat(claim.note()).contains("2 mixes and loads");
    // Another case of one level only leaves nothing to compare.
    run("heavy-read", "QUORUM", 20, 500, 500);
    assertThat(claim("energy, QUORUM against ONE, all mixes and loads").ours()).isNaN();
  }

  @Test
  void layoutsAreComparedToTheEvenOneAndOnlyWhereAStudyHasThem() {
    run("moderate", "ONE", 70, 100, 101, 102);
    String half = "energy, half against even, moderate, ONE, 70 threads";
    assertThat(words()).doesNotContain(half);
    int plain = rows.size();
    run("moderate", "ONE", 70, 82, 83, 84);
    for (int i = plain; i < rows.size(); i++) {
      Map<String, String> cells = new LinkedHashMap<>(rows.get(i).cells());
      cells.put("layout", "half");
      rows.set(i, new RunRow(cells));
    }
    PublishedClaim claim = claim(half);
    assertThat(claim.published()).isCloseTo(0.82, within(1e-9));
    assertThat(claim.ours()).isCloseTo(0.82, within(0.005));
    assertThat(claim.verdict()).isEqualTo("reproduced");
    assertThat(claim.source()).endsWith("Figure 18");
    assertThat(words()).noneMatch(words -> words.startsWith("energy, third against even"));
  }

  @Test
  void numbersOfTheTablesAreSetBesideThoseOfTheStudy() {
    for (String mix : List.of("heavy-update", "moderate")) {
      run(mix, "QUORUM", 20, 100, 102, 104);
      run(mix, "QUORUM", 70, 50, 51, 52);
    }
    rows.replaceAll(
        row -> {
          Map<String, String> cells = new LinkedHashMap<>(row.cells());
          cells.put("power_max_min", "16");
          return new RunRow(cells);
        });
    PublishedClaim least = claim("most less least power of a node, moderate, QUORUM, 20 threads");
    assertThat(least.published()).isEqualTo(16.5);
    assertThat(least.ours()).isEqualTo(16);
    assertThat(least.kind().word()).isEqualTo("W");
    assertThat(least.verdict()).isEqualTo("reproduced");
    PublishedClaim contrast = claim("energy, over the mean of all, moderate, QUORUM, 20 threads");
    assertThat(contrast.published()).isEqualTo(2.04);
    assertThat(contrast.ours()).isCloseTo(100 / 75.0, within(1e-9));
    assertThat(contrast.verdict()).isEqualTo("in part");
  }

  private void set(String column, String value) {
    rows.replaceAll(
        row -> {
          Map<String, String> cells = new LinkedHashMap<>(row.cells());
          cells.put(column, value);
          return new RunRow(cells);
        });
  }

  private List<String> words() {
    return new PublishedFigures.OfLi2013().judge(rows).stream().map(PublishedClaim::claim).toList();
  }

  private PublishedClaim claim(String words) {
    return new PublishedFigures.OfLi2013()
        .judge(rows).stream()
            .filter(claim -> claim.claim().equals(words))
            .findFirst()
            .orElseThrow();
  }

  /** A run of each repeat, with these joules per thousand operations. */
  private void run(String workload, String level, int threads, double... joules) {
    for (int i = 0; i < joules.length; i++) {
      Map<String, String> cells = cells(workload, level, threads, i + 1);
      cells.put("joules_per_kop", String.valueOf(joules[i]));
      rows.add(new RunRow(cells));
    }
  }

  private void speed(String workload, String level, int threads, double throughput) {
    int repeat =
        1
            + (int)
                rows.stream()
                    .filter(r -> r.text("read_level").equals(level))
                    .filter(r -> r.number("threads") == threads)
                    .count();
    Map<String, String> cells = cells(workload, level, threads, repeat);
    cells.put("throughput_ops_s", String.valueOf(throughput));
    rows.add(new RunRow(cells));
  }

  /** Sets the stale ones of a thousand reads at ONE. */
  private void stale(String workload, int stale) {
    rows.replaceAll(
        row -> {
          Map<String, String> cells = new LinkedHashMap<>(row.cells());
          if (row.text("workload").equals(workload) && row.text("read_level").equals("ONE")) {
            cells.put("stale_reads", String.valueOf(stale));
            cells.put("stale_rate", String.valueOf(stale / 1000.0));
          }
          return new RunRow(cells);
        });
  }

  private static Map<String, String> cells(String workload, String level, int threads, int repeat) {
    Map<String, String> cells = new LinkedHashMap<>();
    cells.put("workload", workload);
    cells.put("read_level", level);
    cells.put("write_level", level);
    cells.put("threads", String.valueOf(threads));
    cells.put("repeat", String.valueOf(repeat));
    cells.put("provenance", "modelled");
    cells.put("reads", "1000");
    cells.put("stale_reads", "0");
    cells.put("stale_rate", "0");
    cells.put("status", "ok");
    return cells;
  }
}
