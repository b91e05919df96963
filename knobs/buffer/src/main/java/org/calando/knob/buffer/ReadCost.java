package org.calando.knob.buffer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.calando.knob.buffer.BufferGroups.Group;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.Load;
import org.calando.report.PublishedClaim;
import org.calando.report.Results;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Ratio;
import org.calando.report.page.Table;
import org.calando.report.page.Table.Cell;

/*
 * "Reads cost more energy per unit of throughput" is read as power over throughput, which is joules an operation: of the
 * mix with the most reads over that with the fewest, under the same load and way to send writes, block by block.
 */
/** Whether operations of a mix with more reads cost more energy. Immutable. */
final class ReadCost {
  /**
   * The mix with the most reads against that with the fewest.
   *
   * @param gross joules an operation, the one over the other
   * @param net the same above idle
   * @param adjustedP p-value of the gross ratio after Holm's correction over all pairs
   */
  private record Pair(
      Configuration reads, Configuration writes, Ratio gross, Ratio net, double adjustedP) {
    String verdict() {
      if (!gross.hasInterval()) {
        return gross.present() ? "one repeat: no interval" : "no repeat in common";
      }
      if (adjustedP >= 1 - Statistics.CONFIDENCE) {
        return "undecided";
      }
      return gross.ratio() > 1 ? "reads cost more" : "reads cost less";
    }
  }

  private final BufferGroups buffers;
  private final String provenance;
  private final List<String> workloads;
  private final List<Pair> pairs;

  ReadCost(BufferGroups buffers, List<RunRow> rows, String provenance) {
    this.buffers = buffers;
    this.provenance = provenance.isEmpty() ? "" : ", " + provenance;
    this.workloads =
        buffers.workloads().stream()
            .filter(workload -> Double.isFinite(Results.readShare(rows, workload)))
            .sorted(Comparator.comparingDouble(workload -> Results.readShare(rows, workload)))
            .toList();
    this.pairs = workloads.size() < 2 ? List.of() : pairs();
  }

  private List<Pair> pairs() {
    List<Pair> raw = new ArrayList<>();
    for (Group group : buffers.of(workloads.get(0))) {
      for (Configuration writes : group.ways()) {
        like(writes, workloads.get(workloads.size() - 1))
            .filter(reads -> reads.provenance().equals(writes.provenance()))
            .ifPresent(
                reads -> {
                  Ratio gross = reads.ratioTo(writes, RunRow::joulesPerKop);
                  Ratio net = reads.ratioTo(writes, RunRow::netJoulesPerKop);
                  raw.add(new Pair(reads, writes, gross, net, gross.p()));
                });
      }
    }
    double[] adjusted = Statistics.holm(raw.stream().mapToDouble(Pair::adjustedP).toArray());
    List<Pair> all = new ArrayList<>();
    for (int i = 0; i < adjusted.length; i++) {
      Pair each = raw.get(i);
      all.add(new Pair(each.reads(), each.writes(), each.gross(), each.net(), adjusted[i]));
    }
    return List.copyOf(all);
  }

  /** The configuration of another mix that is like it in all else. */
  private Optional<Configuration> like(Configuration one, String workload) {
    return buffers.of(workload).stream()
        .filter(group -> group.load().shortLabel().equals(one.load().shortLabel()))
        .flatMap(group -> group.ways().stream())
        .filter(other -> other.label().equals(one.label()))
        .findFirst();
  }

  /** The figures of each pair; empty if there are not two mixes. */
  Table table() {
    Table table =
        new Table("buffers-reads", "Energy an operation by the share of reads")
            .text("Writes", "write_buffer");
    for (String workload : workloads) {
      table.estimate(
          workload, "J per 1000 ops" + provenance, "joules_per_kop_" + workload.replace('-', '_'));
    }
    table.number("Most reads over fewest", "", "ratio", "ratio_low", "ratio_high");
    table.number("Above idle", "", "net_ratio", "net_low", "net_high");
    table.number("p", "Holm", "p_holm").text("Verdict", "verdict");
    String load = "";
    for (Pair pair : pairs) {
      String title = Load.sentence(pair.writes().load().shortLabel());
      if (!title.equals(load)) {
        table.section(title);
        load = title;
      }
      table.row(cells(pair));
    }
    return table;
  }

  private List<Cell> cells(Pair pair) {
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of(buffers.label(pair.writes())));
    for (String workload : workloads) {
      cells.add(
          Cell.of(
              like(pair.writes(), workload)
                  .map(c -> c.estimate(RunRow::joulesPerKop))
                  .orElseGet(Statistics::estimate)));
    }
    cells.add(ratio(pair.gross()).withClass("key"));
    cells.add(ratio(pair.net()));
    String p = pair.adjustedP() < 0.001 ? "< 0.001" : Figures.figure(pair.adjustedP());
    cells.add(Cell.value(p, pair.adjustedP()));
    cells.add(Cell.of(pair.verdict()));
    return cells;
  }

  private static Cell ratio(Ratio ratio) {
    List<String> csv =
        Stream.of(ratio.ratio(), ratio.low(), ratio.high()).map(Figures::exact).toList();
    String range = ratio.hasInterval() ? Figures.range(ratio.low(), ratio.high()) : "";
    return new Cell(Figures.figure(ratio.ratio()), range, "", "", csv);
  }

  /** What the pairs come to, and the verdict by the rule of claims where the study repeats it. */
  List<String> words(List<PublishedClaim> claims) {
    if (pairs.isEmpty()) {
      return List.of();
    }
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "\u201CReads cost more energy per unit of throughput\u201D, as joules an operation, "
            + workloads.get(workloads.size() - 1)
            + " over "
            + workloads.get(0)
            + ": more at "
            + count("reads cost more")
            + ", less at "
            + count("reads cost less")
            + ", undecided at "
            + (pairs.size() - count("reads cost more") - count("reads cost less"))
            + " of "
            + pairs.size()
            + ".");
    claims.stream()
        .filter(claim -> claim.claim().contains("reads above"))
        .forEach(
            claim ->
                sentences.add(
                    "By the rule of claims, " + claim.claim() + ": " + claim.verdict() + "."));
    return sentences;
  }

  private long count(String verdict) {
    return pairs.stream().filter(pair -> pair.verdict().equals(verdict)).count();
  }
}
