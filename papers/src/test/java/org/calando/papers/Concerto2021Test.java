package org.calando.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.report.PublishedClaim;
import org.calando.report.RunRow;
import org.junit.jupiter.api.Test;

class Concerto2021Test {
  private static final int BLOCKS = 4;

  private final List<RunRow> rows = new ArrayList<>();

  @Test
  void aRunThatFailedTakesItsPartnerOutOfTheSums() {
    writes();
    // One workload of a block, and all of another block.
    fail("concerto", "set-1kb", 3);
    fail("concerto", "set-1kb", 1);
    fail("concerto", "set-64b", 1);
    PublishedClaim slower = claim("processing of a write at a replica");
    assertThat(slower.ours()).isCloseTo(2, within(1e-9));
    assertThat(slower.high() - slower.low()).isCloseTo(0, within(1e-6));
    assertThat(claim("throughput, concerto against all-high, SET").ours())
        .isCloseTo(0.99, within(1e-9));
    assertThat(claim("CPU time of a write, master against replica").ours())
        .isCloseTo(3, within(1e-9));
  }

  @Test
  void aRunOfAllHighThatFailedTakesItsPartnersOutOfTheSums() {
    writes();
    fail("all-high", "set-1kb", 2);
    fail("all-high", "set-64b", 2);
    fail("all-high", "set-64b", 4);
    assertThat(claim("processing of a write at a replica").ours()).isCloseTo(2, within(1e-9));
    assertThat(claim("throughput, concerto against all-high, SET").ours())
        .isCloseTo(0.99, within(1e-9));
  }

  @Test
  void readsThatReplicasMayAnswerAreNoneOfTheMasters() {
    writes();
    int mastersOnly = rows.size();
    for (String level : List.of("replica", "any")) {
      for (int block = 1; block <= BLOCKS; block++) {
        run("all-high", "get-" + level, block, Map.of("read_level", level));
        run("concerto", "get-" + level, block, Map.of("read_level", level));
      }
    }
    List<PublishedClaim> all = Concerto2021.judge(rows);
    assertThat(all).isEqualTo(Concerto2021.judge(rows.subList(0, mastersOnly)));
    assertThat(claim("throughput less, all-low, GET").verdict()).isEqualTo("not in the study");
  }

  @Test
  void energyIsJudgedByBothAccounts() {
    for (int block = 1; block <= 3; block++) {
      for (String workload : List.of("set", "ycsb-a")) {
        energy("all-high", workload, block, 100, "10");
        energy("concerto", workload, block, 52, "22");
        energy("all-low", workload, block, 43, "22");
      }
    }
    List<PublishedClaim> claims = new PublishedFigures.OfConcerto2021().judge(rows);
    assertThat(claims).hasSize(17).anyMatch(c -> c.claim().endsWith("i = 0"));
    assertThat(verdict(claims, "all-low, SET")).isEqualTo("reproduced");
    assertThat(verdict(claims, "all-low, GET")).isEqualTo("not in the study");
    assertThat(verdict(claims, "concerto against all-high, SET")).isEqualTo("reproduced");
    assertThat(verdict(claims, "processing of a write")).isEqualTo("reproduced");
    PublishedClaim ycsb = of(claims, "concerto, mean of YCSB, i = 1");
    assertThat(ycsb.published()).isEqualTo(0.44);
    assertThat(ycsb.ours()).isCloseTo(0.48, within(1e-9));
    assertThat(ycsb.verdict()).isEqualTo("reproduced");
  }

  @Test
  void claimsThatWerePutIntoTheSimulatorAreCountedApart() {
    writes();
    String measured = PublishedClaim.tally(Concerto2021.judge(rows));
    rows.replaceAll(
        row -> {
          Map<String, String> cells = new LinkedHashMap<>(row.cells());
          cells.put("provenance", "simulated");
          return new RunRow(cells);
        });
    assertThat(claim("processing of a write").note()).startsWith("by construction; ");
    assertThat(PublishedClaim.tally(Concerto2021.judge(rows))).endsWith(", 1 by construction");
    assertThat(measured).doesNotContain("by construction");
  }

  @Test
  void twoOrMoreIsReproducedByMore() {
    writes();
    assertThat(claim("CPU time of a write, master against replica").verdict())
        .isEqualTo("reproduced");
  }

  private void energy(String policy, String workload, int block, int joules, String replicaTime) {
    boolean low = policy.equals("all-low");
    run(
        policy,
        workload,
        block,
        Map.of(
            "operations",
            "10000",
            "throughput_ops_s",
            String.valueOf((low ? 6400 : 10_000) + block),
            "write_p50_us",
            "70",
            "clock_energy_i0_j",
            String.valueOf(joules / 4.0),
            "clock_energy_i1_j",
            String.valueOf(joules),
            "master_cpu_us_op",
            low ? "79.2" : "36",
            "replica_cpu_us_op",
            replicaTime));
  }

  private static String verdict(List<PublishedClaim> claims, String words) {
    return of(claims, words).verdict();
  }

  private static PublishedClaim of(List<PublishedClaim> claims, String words) {
    return claims.stream().filter(c -> c.claim().contains(words)).findFirst().orElseThrow();
  }

  /** Blocks and workloads differ manifold; within each the clock takes 1 % and doubles a time. */
  private void writes() {
    for (int block = 1; block <= BLOCKS; block++) {
      for (String workload : List.of("set-64b", "set-1kb")) {
        double scale = block * (workload.equals("set-64b") ? 10 : 1);
        for (String policy : List.of("all-high", "concerto")) {
          boolean high = policy.equals("all-high");
          run(
              policy,
              workload,
              block,
              Map.of(
                  "throughput_ops_s",
                  String.valueOf(scale * (high ? 1000 : 990)),
                  "master_cpu_us_op",
                  String.valueOf(scale * 30),
                  "replica_cpu_us_op",
                  String.valueOf(scale * (high ? 10 : 20)),
                  "write_p50_us",
                  "70"));
        }
      }
    }
  }

  private void run(String policy, String workload, int block, Map<String, String> more) {
    Map<String, String> cells = new LinkedHashMap<>();
    cells.put("clock", policy);
    cells.put("workload", workload);
    cells.put("repeat", String.valueOf(block));
    cells.put("nodes", "3");
    cells.put("read_level", "master");
    cells.put("throughput_ops_s", "500");
    cells.put("status", "ok");
    cells.putAll(more);
    rows.add(new RunRow(cells));
  }

  private void fail(String policy, String workload, int block) {
    rows.replaceAll(
        row -> {
          boolean it =
              row.text("clock").equals(policy)
                  && row.text("workload").equals(workload)
                  && row.number("repeat") == block;
          Map<String, String> cells = new LinkedHashMap<>(row.cells());
          cells.put("status", it ? "failed" : row.text("status"));
          return new RunRow(cells);
        });
  }

  private PublishedClaim claim(String words) {
    return Concerto2021.judge(rows).stream()
        .filter(claim -> claim.claim().startsWith(words))
        .findFirst()
        .orElseThrow();
  }
}
