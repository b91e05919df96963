package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultRowTest {
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
    assertThat(ResultRow.csv(List.of())).isEqualTo(HEADER + "\n");
    assertThat(String.join(",", new ResultRow().values().keySet())).isEqualTo(HEADER);
  }

  @Test
  void everyColumnIsOnThePageWithUnitAndMeaning() throws IOException {
    String page = Files.readString(TestStudy.MODULE.resolveSibling("docs/results-csv.md"));
    assertThat(page)
        .as("run ResultColumns.main with the folder docs")
        .isEqualTo(ResultColumns.page());
    assertThat(new ResultRow().values().keySet())
        .allSatisfy(column -> assertThat(page).contains("\n| `" + column + "` | "));
    assertThat(ResultColumns.ALL)
        .allSatisfy(column -> assertThat(column.unit()).isNotBlank())
        .allSatisfy(column -> assertThat(column.meaning()).hasSizeGreaterThan(8));
  }

  @Test
  void valuesStandInTheirColumnsInWhateverOrderTheyAreSet() {
    ResultRow row = new ResultRow().set("message", "m").set("status", "ok").set("run", "r");
    assertThat(lines(row)[1]).startsWith("r,,,").contains(",ok,").endsWith(",,,m" + ",".repeat(59));
    assertThat(lines(row)[1].chars().filter(c -> c == ',').count())
        .isEqualTo(HEADER.chars().filter(c -> c == ',').count());
  }

  @Test
  void separatorsQuotesAndLineEndsAreQuoted() {
    assertThat(ResultRow.quote("plain text")).isEqualTo("plain text");
    assertThat(ResultRow.quote("a,b")).isEqualTo("\"a,b\"");
    assertThat(ResultRow.quote("say \"no\"")).isEqualTo("\"say \"\"no\"\"\"");
    assertThat(ResultRow.quote("two\nlines")).isEqualTo("\"two\nlines\"");
    assertThat(ResultRow.quote("two\rlines")).isEqualTo("\"two\rlines\"");
    assertThat(ResultRow.csv(List.of(new ResultRow().set("message", "what\n  remedy: x, y"))))
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
    } finally {
      Locale.setDefault(before);
    }
    assertThat(new ResultRow().set("operations", 123456789012L).get("operations"))
        .isEqualTo("123456789012");
  }

  @Test
  void aFigureThatDoesNotExistIsEmptyAndNoZero() {
    assertThat(figure(Double.NaN)).isEmpty();
    assertThat(figure(Double.POSITIVE_INFINITY)).isEmpty();
    assertThat(figure(0)).isEqualTo("0");
  }

  @Test
  void aColumnThatIsNotInTheContractIsRefused() {
    ResultRow row = new ResultRow();
    assertThatThrownBy(() -> row.set("watts", 1.0)).hasMessageContaining("watts");
    assertThatThrownBy(() -> row.get("watts")).hasMessageContaining("watts");
    assertThatThrownBy(() -> row.values().put("watts", "1"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aStoredRowComesBackWithoutColumnsOfAnotherVersion() {
    ResultRow row = ResultRow.of(Map.of("run", "a", "status", "ok", "from_the_future", "x"));
    assertThat(row.isOk()).isTrue();
    assertThat(row.values()).doesNotContainKey("from_the_future").containsEntry("gear", "");
    assertThat(ResultRow.of(Map.of("status", "failed")).isOk()).isFalse();
    assertThat(ResultRow.of(Map.of()).isOk()).isFalse();
  }

  private static String figure(double value) {
    return new ResultRow().set("energy_j", value).get("energy_j");
  }

  private static String[] lines(ResultRow row) {
    return ResultRow.csv(List.of(row)).split("\n");
  }
}
