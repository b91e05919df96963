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

class GarciaRecuero2014Test {
  private static final String BUFFER = "deferred 12MB";
  private static final List<String> MIXES =
      List.of("gr-write-heavy", "gr-balanced", "gr-read-heavy");

  private final List<RunRow> rows = new ArrayList<>();

  @Test
  void whatThePaperFoundIsFound() {
    study(3, 1.2);
    assertThat(claim("throughput, deferred against").ours()).isCloseTo(3, within(1e-9));
    assertThat(judged()).extracting(PublishedClaim::verdict).containsOnly("reproduced");
  }

  @Test
  void theOppositeIsNotReproduced() {
    study(0.8, 0.7);
    assertThat(claim("throughput, deferred against").verdict()).isEqualTo("not reproduced");
    assertThat(claim("throughput of deferred above").verdict()).isEqualTo("not reproduced");
    assertThat(claim("energy an operation of reads above").verdict()).isEqualTo("not reproduced");
    assertThat(claim("energy an operation of reads above").ours()).isZero();
    assertThat(claim("rise of power").verdict()).isEqualTo("not reproduced");
    assertThat(claim("energy of strong over deferred").verdict()).isEqualTo("not reproduced");
  }

  @Test
  void abufferWithAtimerIsNotThePapers() {
    study(3, 1.2);
    int all = rows.size();
    for (int block = 1; block <= 3; block++) {
      row("gr-write-heavy", 32, BUFFER + " 100ms", block, 10, 1);
    }
    assertThat(GarciaRecuero2014.judge(rows))
        .isEqualTo(GarciaRecuero2014.judge(rows.subList(0, all)));
  }

  @Test
  void whereMostRunsHaveAtimerThatBufferStandsForThePapers() {
    study(3, 1.2);
    rows.replaceAll(
        row -> {
          Map<String, String> cells = new LinkedHashMap<>(row.cells());
          cells.replace("write_buffer", BUFFER, BUFFER + " 500ms");
          return new RunRow(cells);
        });
    row("gr-write-heavy", 32, BUFFER, 1, 10, 1);
    assertThat(judged()).extracting(PublishedClaim::verdict).containsOnly("reproduced");
  }

  @Test
  void astudyOfSomethingElseDecidesNothing() {
    row("ycsb-a", 8, "strong", 1, 100, 1);
    assertThat(judged()).extracting(PublishedClaim::verdict).containsOnly("not in the study");
  }

  @Test
  void savingsThatAreTheSameUnderAllLoadsDoNotGrow() {
    for (int block = 1; block <= 3; block++) {
      for (int threads : List.of(1, 8, 32)) {
        row("gr-write-heavy", threads, "strong", block, 1000 * threads, 30);
        row("gr-write-heavy", threads, BUFFER, block, 3000 * threads, 10);
      }
    }
    assertThat(claim("energy of strong over deferred").verdict()).isEqualTo("undecided");
    assertThat(claim("rise of power").verdict())
        .as("there are no reads")
        .isEqualTo("not in the study");
  }

  /**
   * Deferred is faster by a factor, the more so with many threads, and each mix with more reads
   * costs a factor more.
   */
  private void study(double faster, double dearer) {
    for (int block = 1; block <= 3; block++) {
      for (int threads : List.of(1, 32)) {
        for (int mix = 0; mix < MIXES.size(); mix++) {
          double speed = 1000 * block * threads;
          double joules = 100 * block * Math.pow(dearer, mix);
          row(MIXES.get(mix), threads, "strong", block, speed, joules);
          double saved = threads == 1 ? 1.01 : faster;
          row(MIXES.get(mix), threads, BUFFER, block, speed * faster, joules / saved);
        }
      }
    }
  }

  private void row(
      String mix, int threads, String buffer, int block, double speed, double joulesPerKop) {
    Map<String, String> cells = new LinkedHashMap<>();
    cells.put("workload", mix);
    cells.put("threads", String.valueOf(threads));
    cells.put("write_buffer", buffer);
    cells.put("repeat", String.valueOf(block));
    cells.put("throughput_ops_s", String.valueOf(speed));
    cells.put("joules_per_kop", String.valueOf(joulesPerKop));
    cells.put("power_mean_w", String.valueOf(speed * joulesPerKop / 1000));
    cells.put("status", "ok");
    rows.add(new RunRow(cells));
  }

  private List<PublishedClaim> judged() {
    return GarciaRecuero2014.judge(rows);
  }

  private PublishedClaim claim(String words) {
    return judged().stream()
        .filter(claim -> claim.claim().startsWith(words))
        .findFirst()
        .orElseThrow();
  }
}
