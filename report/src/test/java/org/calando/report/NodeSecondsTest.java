package org.calando.report;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.calando.report.NodeSeconds.Quantity;
import org.junit.jupiter.api.Test;

class NodeSecondsTest {
  private static final String NODES =
      """
      second,phase,node,cpu_percent,power_w,gap,disk_read_bytes,disk_write_bytes
      0,idle,n1,1,75,0,,
      1,warmup,n1,30,90,0,1000,500
      2,measured,n1,40,100,0,2000,0
      3,measured,n1,41,,1,0,0
      4,measured,n1,42,102,0,0,0
      """;

  private static final String OPERATIONS =
      """
      second,phase,operations
      0,warmup,7
      0,measured,10
      1,measured,11
      2,measured,12
      """;

  @Test
  void bothFilesAreOnTheAxisOfTheMeasuredWindow() {
    NodeSeconds run = seconds(NODES, OPERATIONS);
    assertThat(run.first()).isEqualTo(-2);
    assertThat(run.measured()).isEqualTo(3);
    assertThat(run.operations()).containsExactly(Double.NaN, 7, 10, 11, 12);
    assertThat(power(run)).containsExactly(75, 90, 100, Double.NaN, 102);
  }

  @Test
  void gapIsMarkedAndNotFilled() {
    NodeSeconds run = seconds(NODES, OPERATIONS);
    assertThat(run.nodes().get(0).gaps()).containsExactly(false, false, false, true, false);
    assertThat(power(run)[3]).isNaN();
  }

  @Test
  void bytesOfBothDirectionsAddUpAndWhatWasNotReadIsNotZero() {
    NodeSeconds run = seconds(NODES, OPERATIONS);
    double[] disk = run.nodes().get(0).values(Quantity.DISK);
    assertThat(disk).containsExactly(Double.NaN, 1.5, 2, 0, 0);
    assertThat(run.has(Quantity.NETWORK)).isFalse();
  }

  @Test
  void memoryIsOfTheNodeElseOfItsProcesses() {
    String rows = "second,phase,node,memory_bytes,rss_bytes\n0,measured,n1,%s,4000000\n";
    assertThat(memory(rows.formatted("9000000"))).contains(9);
    assertThat(memory(rows.formatted(""))).contains(4);
  }

  @Test
  void olderFoldersWithoutAGapColumnHaveGapsWhereWattsAreMissing() {
    NodeSeconds run =
        seconds("second,phase,node,power_w\n0,measured,n1,5\n1,measured,n1,\n", OPERATIONS);
    assertThat(run.nodes().get(0).gaps()).containsExactly(false, false, true, false);
  }

  @Test
  void withoutAMeterNothingIsAGap() {
    NodeSeconds run =
        seconds("second,phase,node,cpu_percent,power_w\n0,measured,n1,5,\n", OPERATIONS);
    assertThat(run.nodes().get(0).gaps()).doesNotContain(true);
    assertThat(run.has(Quantity.POWER)).isFalse();
  }

  @Test
  void hostileSecondsAreLeftOut() {
    assertThat(NodeSeconds.of(List.of(), List.of())).isNull();
    NodeSeconds run =
        seconds("second,phase,node,power_w\nx,measured,n1,5\n1e18,idle,n1,4\n", OPERATIONS);
    assertThat(run.length()).isLessThan(10);
  }

  private static double[] memory(String nodes) {
    return seconds(nodes, OPERATIONS).nodes().get(0).values(Quantity.MEMORY);
  }

  private static double[] power(NodeSeconds run) {
    return run.nodes().get(0).values(Quantity.POWER);
  }

  private static NodeSeconds seconds(String nodes, String operations) {
    return requireNonNull(NodeSeconds.of(rows(nodes), rows(operations)));
  }

  private static List<RunRow> rows(String csv) {
    return Csv.parse(csv, "test").stream().map(RunRow::new).toList();
  }
}
