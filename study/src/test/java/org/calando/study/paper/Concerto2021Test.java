package org.calando.study.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.study.report.PublishedClaim;
import org.calando.study.report.RunRow;
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
