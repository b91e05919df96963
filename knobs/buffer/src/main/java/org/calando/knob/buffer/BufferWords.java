package org.calando.knob.buffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.calando.core.energy.ConsistencyEnergy;
import org.calando.knob.buffer.BufferGroups.Group;
import org.calando.knob.buffer.BufferRatios.Compared;
import org.calando.knob.buffer.BufferRatios.Row;
import org.calando.knob.buffer.BufferRatios.Verdict;
import org.calando.report.Answer;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.Statistics;
import org.calando.report.column.BufferColumns;
import org.calando.report.column.PromiseColumns;

/** What deferring gained and lost, mix by mix, in sentences. Immutable. */
final class BufferWords {
  /** A run with fewer tells of its last flush rather than of its buffer. */
  static final int ENOUGH_FLUSHES = 20;

  private static final Told SPEED =
      new Told(Row::throughput, "throughput", "faster", "slower", "no gain or loss for sure");
  private static final Told JOULES =
      new Told(
          Row::joules,
          "energy",
          "dearer an operation",
          "cheaper an operation",
          "no saving or loss of energy for sure");

  private final BufferGroups buffers;
  private final BufferRatios ratios;

  BufferWords(BufferGroups buffers, BufferRatios ratios) {
    this.buffers = buffers;
    this.ratios = ratios;
  }

  /** A sentence for each mix and way: where it gains, where it loses, and where nobody can tell. */
  List<String> gains() {
    Map<String, List<Row>> byWay = new LinkedHashMap<>();
    for (Row row : ratios.rows()) {
      byWay.computeIfAbsent(way(row), key -> new ArrayList<>()).add(row);
    }
    List<String> sentences = new ArrayList<>();
    byWay.forEach(
        (way, rows) -> sentences.add(way + ": " + SPEED.of(rows) + "; " + JOULES.of(rows) + "."));
    return sentences;
  }

  private String way(Row row) {
    String workload = row.group().load().workload();
    String label = buffers.label(row.way());
    return workload.isEmpty() ? label : workload + ", " + label;
  }

  /**
   * How a figure is told.
   *
   * @param what the figure
   * @param more said of one that is larger than that of strong writes
   * @param less said of one that is smaller
   * @param undecided said where the interval allows both
   */
  private record Told(
      Function<Row, Compared> figure, String what, String more, String less, String undecided) {
    /** Such as {@code faster at 1 thr and 8 thr (1.9–5.3 times), slower at 32 thr (0.8 times)}. */
    String of(List<Row> rows) {
      List<String> parts = new ArrayList<>();
      part(parts, rows, Verdict.MORE, more);
      part(parts, rows, Verdict.LESS, less);
      part(parts, rows, Verdict.UNDECIDED, undecided);
      part(parts, rows, Verdict.ONE_REPEAT, what + " in one repeat, without an interval,");
      return parts.isEmpty() ? "no " + what + " to compare" : String.join(", ", parts);
    }

    private void part(List<String> parts, List<Row> rows, Verdict verdict, String words) {
      List<Row> those =
          rows.stream().filter(row -> figure.apply(row).verdict() == verdict).toList();
      if (those.isEmpty()) {
        return;
      }
      List<String> loads = those.stream().map(row -> row.group().load().shortLabel()).toList();
      String where =
          loads.size() > 1 && loads.size() == rows.size()
              ? "all " + loads.size() + " loads"
              : Answer.join(loads);
      parts.add(words + " at " + where + " (" + times(those) + ")");
    }

    private String times(List<Row> rows) {
      if (rows.size() == 1) {
        return figure.apply(rows.get(0)).times();
      }
      Statistics.Spread spread =
          Statistics.spread(
              rows.stream().mapToDouble(row -> figure.apply(row).ratio().ratio()).toArray());
      return Figures.range(spread.min(), spread.max()) + " times";
    }
  }

  /**
   * Policies that did not keep what they are there for. What else was promised they do not know.
   */
  static List<String> broken(BufferGroups buffers) {
    List<String> sentences = new ArrayList<>();
    for (Group group : buffers.groups()) {
      for (Configuration c : group.others()) {
        double[] shares = c.values(row -> row.number(PromiseColumns.FRESH_SHARE));
        long broken = Arrays.stream(shares).filter(share -> share < ConsistencyEnergy.MET).count();
        if (BufferGroups.way(c).startsWith(BufferOrder.FRESH) && broken > 0) {
          sentences.add(
              "The promise was not kept: "
                  + buffers.label(c)
                  + ", "
                  + group.load().label()
                  + ", in "
                  + broken
                  + " of "
                  + c.ok().size()
                  + (c.ok().size() == 1 ? " run" : " runs")
                  + " (99th percentile: "
                  + Figures.figure(c.spread(BufferColumns.FRESHNESS_P99_MS).max())
                  + " ms at worst). Notes of the runs say whether it could be kept.");
        }
      }
    }
    return sentences;
  }

  /** Where a run had too few flushes to tell of its buffer, or its policy's promise was broken. */
  List<String> warnings() {
    List<String> sentences = new ArrayList<>(broken(buffers));
    for (Group group : buffers.groups()) {
      for (Configuration c : group.others()) {
        double[] few =
            Arrays.stream(c.values(row -> row.number(BufferColumns.FLUSHES)))
                .filter(flushes -> flushes < ENOUGH_FLUSHES)
                .toArray();
        if (few.length > 0) {
          double least = Arrays.stream(few).min().orElse(0);
          sentences.add(
              "Fewer than "
                  + ENOUGH_FLUSHES
                  + " flushes: "
                  + buffers.label(c)
                  + ", "
                  + group.load().label()
                  + ", in "
                  + few.length
                  + " of "
                  + c.ok().size()
                  + (c.ok().size() == 1 ? " run" : " runs")
                  + " (least: "
                  + Figures.count(least)
                  + "). Its figures are those of the last flush as much as of the buffer.");
        }
      }
    }
    return sentences;
  }
}
