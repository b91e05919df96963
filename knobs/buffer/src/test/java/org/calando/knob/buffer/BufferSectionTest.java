package org.calando.knob.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.calando.report.ResultsFolder;
import org.calando.report.ResultsTable;
import org.calando.report.RunRow;
import org.calando.report.page.ReportWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BufferSectionTest {
  private static final String HEADER =
      "run,engine,workload,threads,consistency,write_buffer,repeat,operations,errors,duration_s,"
          + "throughput_ops_s,reads,energy_j,energy_net_j,joules_per_kop,cpu_s,meter,provenance,"
          + "status,freshness_p50_ms,freshness_p99_ms,freshness_max_ms,at_risk,at_risk_max,flushes,"
          + "lost_writes,ops_per_joule,promised_ms,fresh_share,sla_per_budget\n";

  @TempDir Path folder;

  private final StringBuilder rows = new StringBuilder();
  private int runs;

  @Test
  void deferredIsSetBesideStrongBlockByBlockAndBesideWhatWasPublished() throws IOException {
    for (int block = 1; block <= 3; block++) {
      // Blocks differ by half, and within each the ratio is 4 give or take a percent.
      row("gr-write-heavy", 32, "deferred 12MB", block, 2000 * block * (4 + 0.04 * (block - 2)));
      row("gr-write-heavy", 32, "strong", block, 2000 * block);
    }
    String page = page();
    assertThat(page).contains("<h2 id=\"h-buffers\">Writes one by one and deferred</h2>");
    String ratios = table(page, "buffers-ratio");
    assertThat(ratios).contains(">4.00<", ">around 3<", ">more<", ">0.250<", ">less<");
    assertThat(page)
        .contains("deferred 12MB: faster at 32 thr (4.00 times, ")
        .contains("cheaper an operation at 32 thr (0.250 times, ");
    // 0.4 s of CPU for 1000 operations; 1 kW over 2000 operations a second in the first block.
    assertThat(table(page, "buffers-cost")).contains(">400 ± 0<", "data-csv=\"400|400|400\"");
    // Strong comes first, whatever the order of the runs: others are compared with it.
    String cost = table(page, "buffers-cost");
    assertThat(cost.indexOf(">strong<")).isPositive().isLessThan(cost.indexOf(">deferred 12MB<"));
    assertThat(page).as("levels say nothing here").doesNotContain("id=\"h-thesis\"");
  }

  @Test
  void whereAmixLosesOrNobodyCanTellIsSaidInWords() throws IOException {
    for (int block = 1; block <= 4; block++) {
      row("gr-read-heavy", 1, "strong", block, 1000);
      row("gr-read-heavy", 1, "deferred 12MB", block, 800 + block);
      row("gr-read-heavy", 8, "strong", block, 1000);
      row("gr-read-heavy", 8, "deferred 12MB", block, block % 2 == 0 ? 1200 : 830);
    }
    assertThat(page())
        .contains(
            "deferred 12MB: slower at 1 thr (0.802 times, ",
            "no gain or loss for sure at 8 thr (0.998 times, ",
            "dearer an operation at 1 thr (1.25 times, ",
            "no saving or loss of energy for sure at 8 thr (1.00 times, ");
  }

  @Test
  void oneRepeatHasNoInterval() throws IOException {
    row("gr-write-heavy", 8, "strong", 1, 1000);
    row("gr-write-heavy", 8, "deferred 12MB", 1, 3000);
    assertThat(page())
        .contains("throughput in one repeat, without an interval, at 8 thr (3.00 times)")
        .contains("one repeat: no interval");
  }

  @Test
  void fewFlushesAreWarnedOf() throws IOException {
    row("gr-write-heavy", 8, "strong", 1, 1000);
    row("gr-write-heavy", 8, "deferred 12MB", 1, 3000);
    assertThat(page()).doesNotContain("Fewer than 20 flushes");
    rows.append(
        rows.substring(rows.lastIndexOf("run2"))
            .replace(",20,0,", ",19,0,")
            .replace("run2", "run3")
            .replace("deferred 12MB,1", "deferred 12MB,2"));
    assertThat(page())
        .contains(
            "Fewer than 20 flushes: deferred 12MB, closed loop, 8 threads, in 1 of 2 runs (least: 19).");
  }

  @Test
  void aPromiseIsToldWithItsPriceAndAbrokenOneStandsOut() throws IOException {
    row("gr-write-heavy", 8, "strong", 1, 1000);
    row("gr-write-heavy", 8, "deferred 12MB", 1, 3000);
    String fresh = table(page(), "buffers-fresh");
    assertThat(fresh)
        .contains("<td class=\"n bad\"", ">98.99\u00A0%<", ">99.90\u00A0%<", ">0<", ">500<");
    // Within 500 ms strong writes are the cheapest that are fresh enough, within 10 s the deferred.
    String choice = table(page(), "buffers-choice");
    String row = choice.substring(choice.indexOf("8 thr"));
    assertThat(row.indexOf("strong")).isPositive();
    assertThat(row.indexOf("deferred 12MB")).isGreaterThan(row.lastIndexOf("strong"));
  }

  @Test
  void policiesThatBrokeTheirPromiseAreWarnedOf() throws IOException {
    row("gr-write-heavy", 8, "strong", 1, 1000);
    row("gr-write-heavy", 8, "deferred 12MB", 1, 3000);
    assertThat(page()).as("which promises nothing").doesNotContain("The promise was not kept");
    String last = rows.substring(rows.lastIndexOf("run2"));
    rows.append(last.replace("run2", "run3").replace("deferred 12MB", "fresh 500ms"));
    String words =
        "The promise was not kept: fresh 500ms, closed loop, 8 threads, in 1 of 1 run (99th"
            + " percentile: 6000 ms at worst).";
    assertThat(page().replace('\u00a0', ' ')).contains(words);
    String text =
        ResultsTable.of(
                ResultsFolder.read(folder).results().rows().stream().map(RunRow::cells).toList())
            .render(StandardCharsets.UTF_8);
    assertThat(text.replaceAll("\\s+", " ")).contains("WARNING: " + words);
  }

  @Test
  void whetherReadsCostMoreIsToldOfEachPairAndByTheRuleOfClaims() throws IOException {
    BufferSample sample = BufferSample.of(3);
    String page = Files.readString(ReportWriter.write(sample.write(folder), sample.claims()));
    String reads = table(page, "buffers-reads");
    assertThat(reads).contains("reads cost more", "reads cost less", ">gr-balanced <");
    assertThat(page)
        .contains("gr-read-heavy over gr-write-heavy: more at 9, less at 3, undecided at 0 of 12.")
        .contains(
            "By the rule of claims, energy an operation of reads above that of writes, all loads:"
                + " not reproduced.");
    // A chart of energy and one of throughput, and one of the trade-off for each mix.
    assertThat(page)
        .contains("id=\"chart-buffers-energy\"", "id=\"chart-buffers-throughput\"")
        .contains("id=\"chart-buffers-tradeoff-1\"", "id=\"chart-buffers-tradeoff-3\"");
  }

  @Test
  void theTerminalTellsWhatIsTooLongForTheFirstTable() {
    BufferSample sample =
        BufferSample.of(2, List.of("gr-write-heavy"), List.of("8"), BufferSample.WAYS);
    String text = ResultsTable.of(sample.rows()).render(StandardCharsets.UTF_8);
    assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThan(80));
    assertThat(text.lines().filter(line -> line.startsWith("12MB 100ms shared "))).hasSize(1);
    assertThat(text).contains("fresh/E", "(500 ms)", "99.70%", "31.00%");
    List<Map<String, String>> strong = sample.rows();
    strong.forEach(row -> row.put("write_buffer", ""));
    assertThat(ResultsTable.of(strong).render(StandardCharsets.UTF_8)).doesNotContain("fresh/E");
  }

  @Test
  void withoutWriteBuffersThereIsNoSection() throws IOException {
    row("ycsb-a", 8, "", 1, 1000);
    assertThat(page()).doesNotContain("id=\"h-buffers\"");
  }

  /** A thousand operations at 1 kW; what is deferred keeps a promise in 98.999 % of its writes. */
  private void row(String mix, int threads, String buffer, int block, double speed) {
    boolean deferred = buffer.startsWith("deferred");
    double joules = 1000 / speed * 1000;
    String share = deferred ? "0.98999" : "0.999";
    String sla = deferred ? "0" : String.valueOf(0.999 / joules);
    String fresh = deferred ? "1500,6000,9000,3000,9000,20,0" : "1,4,9,0,0,0,0";
    List<String> cells =
        List.of(
            "run" + ++runs,
            "hbase",
            mix,
            String.valueOf(threads),
            "ONE",
            buffer,
            String.valueOf(block),
            "1000",
            "0",
            String.valueOf(1000 / speed),
            String.valueOf(speed),
            "500",
            String.valueOf(joules),
            String.valueOf(joules / 10),
            String.valueOf(joules),
            "0.4",
            "model",
            "modelled",
            "ok",
            fresh,
            String.valueOf(1000 / joules),
            "500",
            share,
            sla);
    rows.append(String.join(",", cells)).append('\n');
  }

  private String page() throws IOException {
    Files.writeString(folder.resolve("results.csv"), HEADER + rows);
    return Files.readString(ReportWriter.write(folder));
  }

  private static String table(String page, String id) {
    String table = page.substring(page.indexOf("<table id=\"" + id + "\""));
    return table.substring(0, table.indexOf("</table>"));
  }
}
