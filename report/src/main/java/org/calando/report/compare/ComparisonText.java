package org.calando.report.compare;

import java.nio.charset.Charset;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.ShortLabels;
import org.calando.report.TextLines;
import org.calando.report.compare.ComparedQuantity.Row;

/** Two studies side by side, for a terminal of 80 columns. Not thread safe. */
final class ComparisonText {
  private static final List<String> HEADS =
      List.of("", "A", "B", "B/A", "95 % interval", "seen", "verdict");
  private static final List<Integer> WIDTHS = List.of(20, 7, 7, 7, 15, 7, 10);

  private final StudyComparison comparison;
  private final ShortLabels labels;
  private final TextLines out = new TextLines();

  ComparisonText(StudyComparison comparison) {
    this.comparison = comparison;
    List<String> loads = comparison.pairs().stream().map(ComparisonText::load).toList();
    int room = WIDTHS.get(0) - loads.stream().mapToInt(String::length).max().orElse(0);
    this.labels =
        ShortLabels.of(
            comparison.pairs().stream().map(pair -> pair.a().label()).toList(), Math.max(8, room));
  }

  String render(Charset charset) {
    text("A: " + comparison.nameA());
    text("B: " + comparison.nameB());
    for (String warning : comparison.warnings()) {
      text("! " + warning);
    }
    if (comparison.pairs().isEmpty()) {
      out.blank();
      text("The two studies have no configuration in common.");
    } else {
      comparison.quantities().forEach(this::quantity);
      out.blank();
      text((labels.note() + " " + explanation()).strip());
    }
    only("A", comparison.onlyInA());
    only("B", comparison.onlyInB());
    differences();
    return out.text(charset, "\u2500\u00B1\u2026\u2013\u2212\u00D7");
  }

  private void quantity(ComparedQuantity quantity) {
    out.blank();
    text(title(quantity));
    line(HEADS);
    out.rule();
    String workload = "";
    boolean several =
        comparison.pairs().stream().map(StudyComparison.Pair::workload).distinct().count() > 1;
    for (Row row : quantity.rows()) {
      if (several && !row.pair().workload().equals(workload)) {
        workload = row.pair().workload();
        text(workload);
      }
      line(cells(quantity, row));
    }
  }

  private static String title(ComparedQuantity quantity) {
    String words =
        switch (quantity.name()) {
          case "energy" -> "Energy of a run";
          case "joules_per_kop" -> "Energy per operation";
          case "throughput" -> "Throughput";
          case "read_p99" -> "Read latency, 99th percentile of a run";
          case "write_p99" -> "Write latency, 99th percentile of a run";
          default -> "Stale reads";
        };
    return words + ", " + quantity.unit() + (quantity.energy() ? "; " + origin(quantity) : "");
  }

  /** The provenance of both sides' joules. */
  private static String origin(ComparedQuantity quantity) {
    String a = origin(quantity, StudyComparison.Pair::a);
    String b = origin(quantity, StudyComparison.Pair::b);
    return a.equals(b) ? a : "A " + a + ", B " + b;
  }

  private static String origin(
      ComparedQuantity quantity, Function<StudyComparison.Pair, Configuration> side) {
    String words =
        quantity.rows().stream()
            .map(row -> side.apply(row.pair()).provenance())
            .filter(word -> !word.isEmpty())
            .distinct()
            .collect(Collectors.joining(" and "));
    return words.isEmpty() ? "of unknown provenance" : words;
  }

  private static String load(StudyComparison.Pair pair) {
    String load = pair.a().load().shortLabel();
    return load.isEmpty() ? "" : load + " ";
  }

  private List<String> cells(ComparedQuantity quantity, Row row) {
    boolean shown = quantity.comparable(row);
    String value = row.byRatio() ? Figures.ratio(row.value()) : Figures.difference(row.value());
    String interval =
        row.hasInterval() ? interval(row.low(), row.high(), row.byRatio()) : Figures.NONE;
    String seen =
        row.hasInterval()
            ? row.byRatio()
                ? "\u00D7" + Figures.ratio(row.detectable())
                : Figures.difference(row.detectable()).replace('+', '\u00B1')
            : Figures.NONE;
    return List.of(
        load(row.pair()) + labels.name(row.pair().a().label()),
        Figures.within(row.shownA(), WIDTHS.get(1)),
        Figures.within(row.shownB(), WIDTHS.get(2)),
        shown ? value : Figures.NONE,
        shown ? interval : Figures.NONE,
        shown ? seen : Figures.NONE,
        quantity.verdict(row).replace("not comparable", "not comp."));
  }

  private static String interval(double low, double high, boolean ratio) {
    return ratio
        ? Figures.ratios(low, high)
        : Figures.difference(low) + " " + Figures.difference(high);
  }

  private String explanation() {
    String method =
        comparison.isPaired()
            ? "Both studies drew the same blocks: runs are paired by repeat, on the logarithm of"
                + " the ratio."
            : "Runs are compared as independent, by Welch's test on logarithms.";
    return method
        + " A and B are arithmetic means of the runs, of percentiles the middle run's (of an even"
        + " number the upper middle one's); B/A is the ratio of geometric means. Verdicts (B is"
        + " more or less than A) after Holm's correction over each table, at 5 %. \"seen\": the"
        + " smallest ratio that would have been found four times in five. Where a figure is 0, B/A"
        + " and seen are differences in the table's unit.";
  }

  private void only(String study, List<String> configurations) {
    if (!configurations.isEmpty()) {
      out.blank();
      text("Only in " + study + ": " + String.join("; ", configurations));
    }
  }

  private void differences() {
    out.blank();
    if (comparison.differences().isEmpty()) {
      text("Both were made in the same way, as far as environment.json shows.");
      return;
    }
    text("Made differently (A | B):");
    for (StudyDifferences.Difference d : comparison.differences()) {
      text("  " + d.what() + ": " + orUnknown(d.a()) + " | " + orUnknown(d.b()));
    }
  }

  private static String orUnknown(String text) {
    return text.isEmpty() ? "not stated" : text;
  }

  private void text(String text) {
    out.wrap(text);
  }

  private void line(List<String> cells) {
    out.line(cells, WIDTHS, i -> i == 0 || i == cells.size() - 1);
  }
}
