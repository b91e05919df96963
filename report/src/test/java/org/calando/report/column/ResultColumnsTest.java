package org.calando.report.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.calando.report.Csv;
import org.calando.report.RunRow;
import org.junit.jupiter.api.Test;

class ResultColumnsTest {
  /** The columns that others rely on. */
  private static final String CONTRACT =
      "run,engine,workload,threads,rate,consistency,read_level,write_level,layout,gear,clock,"
          + "write_buffer,repeat,operations,errors,duration_s,throughput_ops_s,read_p50_us,"
          + "read_p99_us,write_p50_us,write_p99_us,reads,stale_reads,stale_rate,stale_p99_ms,"
          + "freshness_p99_ms,at_risk,energy_j,energy_net_j,joules_per_kop,power_mean_w,power_cv,"
          + "power_max_min,cpu_cv,cpu_max_min,meter,provenance,status";

  @Test
  void theContractsColumnsAreAlwaysThere() {
    assertThat(csv(new RunRecord()).lines().findFirst()).contains(CONTRACT);
    assertThat(String.join(",", ResultColumns.row(new RunRecord(), List.of()).keySet()))
        .isEqualTo(CONTRACT);
  }

  @Test
  void furtherColumnsStandWhereARunFillsThemInOneOrder() {
    Map<String, String> hints =
        ResultColumns.row(new RunRecord().give(SimColumns.LOST_HINTS, 0), List.of());
    Map<String, String> failed =
        ResultColumns.row(
            new RunRecord()
                .give(RunColumns.NODES, 3)
                .give(RunColumns.WARM_UP_S, Double.NaN)
                .fail("m"),
            List.of());
    assertThat(String.join(",", hints.keySet())).isEqualTo(CONTRACT + ",lost_hints");
    assertThat(String.join(",", failed.keySet())).isEqualTo(CONTRACT + ",message,nodes");
    assertThat(names(List.of(hints, failed)))
        .isEqualTo(CONTRACT + ",message,nodes,lost_hints")
        .isEqualTo(names(List.of(failed, hints)));
  }

  @Test
  void aRowThatHasEmptyCellsOfAllColumnsFillsNoFurtherOne() {
    Map<String, String> old = new HashMap<>();
    ResultColumns.ALL.forEach(column -> old.put(column.name(), ""));
    assertThat(names(List.of(old))).isEqualTo(CONTRACT);
  }

  @Test
  void everyColumnIsOnThePageWithUnitAndMeaning() {
    String page = ResultColumns.page();
    assertThat(ResultColumns.ALL)
        .allSatisfy(column -> assertThat(page).contains("\n| `" + column + "` | "))
        .allSatisfy(column -> assertThat(column.unit()).isNotBlank())
        .allSatisfy(column -> assertThat(column.doc()).hasSizeGreaterThan(8));
  }

  @Test
  void noColumnIsContributedTwiceOrLeftOut() {
    assertThat(ResultColumns.ALL).extracting(Column::name).doesNotHaveDuplicates();
    assertThat(ResultColumns.ALL).doesNotContainNull();
    assertThat(ResultColumns.CONTRIBUTORS.stream().mapToInt(each -> each.columns().size()).sum())
        .isEqualTo(ResultColumns.ALL.size());
  }

  @Test
  void valuesStandInTheirColumnsInWhateverOrderTheyAreGiven() {
    RunRecord run = new RunRecord().fail("m").give(RunColumns.ID, "r");
    String line = csv(run).lines().toList().get(1);
    assertThat(line).startsWith("r,,,").endsWith(",failed,m");
    assertThat(Csv.parse(csv(run), "results.csv"))
        .containsExactly(ResultColumns.row(run, List.of()));
  }

  @Test
  void separatorsQuotesAndLineEndsAreQuoted() {
    assertThat(Csv.quote("plain text")).isEqualTo("plain text");
    assertThat(Csv.quote("a,b")).isEqualTo("\"a,b\"");
    assertThat(Csv.quote("say \"no\"")).isEqualTo("\"say \"\"no\"\"\"");
    assertThat(Csv.quote("two\nlines")).isEqualTo("\"two\nlines\"");
    assertThat(Csv.quote("two\rlines")).isEqualTo("\"two\rlines\"");
    assertThat(csv(new RunRecord().fail("what\n  remedy: x, y")))
        .endsWith(",\"what\n  remedy: x, y\"\n");
  }

  @Test
  void figuresHaveSixDigitsNoExponentAndAPointInEveryLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(figure(1234.5678)).isEqualTo("1234.57");
      assertThat(figure(0.000012345678)).isEqualTo("0.0000123457");
      assertThat(figure(123456789.5)).isEqualTo("123457000");
      assertThat(figure(0.5)).isEqualTo("0.5");
      assertThat(figure(75)).isEqualTo("75");
      assertThat(figure(-3.25)).isEqualTo("-3.25");
      assertThat(figure(-0.0)).isEqualTo("0");
      assertThat(figure(123456789012L)).isEqualTo("123456789012");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void aFigureThatDoesNotExistIsEmptyAndNoZero() {
    assertThat(figure(Double.NaN)).isEmpty();
    assertThat(figure(Double.POSITIVE_INFINITY)).isEmpty();
    assertThat(figure(0)).isEqualTo("0");
  }

  @Test
  void aRunOfWhichNothingIsKnownHasAStatusAndNoOtherValue() {
    Map<String, String> row = ResultColumns.row(new RunRecord(), List.of());
    assertThat(row.remove("status")).isEqualTo("ok");
    assertThat(row.values()).containsOnly("");
  }

  @Test
  void aStoredRowIsWrittenWithoutColumnsOfAnotherVersion() {
    RunRow row = new RunRow(Map.of("run", "a", "status", "ok", "from_the_future", "x"));
    String csv = Csv.text(ResultColumns.ALL, List.of(row));
    assertThat(csv).doesNotContain("from_the_future", "x\n").contains("\na,,");
    assertThat(row.text(RunColumns.GEAR)).isEmpty();
    assertThat(row.number(GearColumns.GEAR_SHIFTS)).isNaN();
  }

  private static String csv(RunRecord run) {
    Map<String, String> row = ResultColumns.row(run, List.of());
    return Csv.text(ResultColumns.filled(List.of(row)), List.of(new RunRow(row)));
  }

  private static String names(List<Map<String, String>> rows) {
    return ResultColumns.filled(rows).stream().map(Column::name).collect(Collectors.joining(","));
  }

  private static String figure(double value) {
    return ResultColumns.row(new RunRecord().give(BufferColumns.AT_RISK, value), List.of())
        .get("at_risk");
  }
}
