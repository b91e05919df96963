package org.calando.report.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.calando.report.Csv;
import org.calando.report.RunRow;
import org.junit.jupiter.api.Test;

class ResultColumnsTest {
  /** The columns that others rely on, then those added since. */
  private static final String HEADER =
      "run,engine,workload,threads,rate,consistency,read_level,write_level,layout,gear,clock,"
          + "write_buffer,repeat,operations,errors,duration_s,throughput_ops_s,read_p50_us,"
          + "read_p99_us,write_p50_us,write_p99_us,reads,stale_reads,stale_rate,stale_p99_ms,"
          + "freshness_p99_ms,at_risk,energy_j,energy_net_j,joules_per_kop,power_mean_w,power_cv,"
          + "power_max_min,cpu_cv,cpu_max_min,meter,provenance,status,"
          + "cpu_s,stale_max_versions,stale_coverage,ryw_violations,monotonic_violations,"
          + "dual_reads,dual_stale_reads,intended_rate,message,"
          + "nodes,power_scope,energy_kwh,cost,co2e_g,sampling_cpu_s,sampling_j,client_cpu_s,"
          + "dual_stale_rate,policy,tolerated,mean_replicas,one_share,decisions,monitor_requests,"
          + "monitor_cpu_s,harmony_one,exact_one,pbs_one,harmony_rate,exact_rate,pbs_rate,"
          + "canary_reads,canary_stale,"
          + "clock_energy_i0_j,clock_energy_i1_j,clock_saving_i0,clock_saving_i1,"
          + "master_cpu_us_op,replica_cpu_us_op,lag_p50_bytes,lag_max_bytes,lag_max_ms,"
          + "manager_cpu_s,manager_j,clock_changes,"
          + "gear_shifts,shift_energy_j,moved_bytes,"
          + "shift_s,read_bytes,written_bytes,joules_per_mb,"
          + "freshness_p50_ms,freshness_max_ms,flushes,at_risk_max,lost_writes,"
          + "ops_per_joule,promised_ms,fresh_share,sla_per_budget,warm_up_s,"
          + "read_mean_us,write_mean_us,lost_hints,started,resumes,fallback_share";

  @Test
  void theHeaderIsTheContract() {
    assertThat(csv(new RunRecord()).lines().findFirst()).contains(HEADER);
    assertThat(String.join(",", ResultColumns.row(new RunRecord()).keySet())).isEqualTo(HEADER);
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
    assertThat(line).startsWith("r,,,").contains(",failed,").contains(",m,");
    assertThat(Csv.parse(csv(run), "results.csv")).containsExactly(ResultColumns.row(run));
  }

  @Test
  void separatorsQuotesAndLineEndsAreQuoted() {
    assertThat(Csv.quote("plain text")).isEqualTo("plain text");
    assertThat(Csv.quote("a,b")).isEqualTo("\"a,b\"");
    assertThat(Csv.quote("say \"no\"")).isEqualTo("\"say \"\"no\"\"\"");
    assertThat(Csv.quote("two\nlines")).isEqualTo("\"two\nlines\"");
    assertThat(Csv.quote("two\rlines")).isEqualTo("\"two\rlines\"");
    assertThat(csv(new RunRecord().fail("what\n  remedy: x, y")))
        .contains(",\"what\n  remedy: x, y\",");
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
    Map<String, String> row = ResultColumns.row(new RunRecord());
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
    return Csv.text(ResultColumns.ALL, List.of(new RunRow(ResultColumns.row(run))));
  }

  private static String figure(double value) {
    return ResultColumns.row(new RunRecord().give(BufferColumns.AT_RISK, value)).get("at_risk");
  }
}
