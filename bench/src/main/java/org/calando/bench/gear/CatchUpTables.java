package org.calando.bench.gear;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.calando.bench.MarkdownTable;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Ratio;

/** Throughputs, and the catch-up's as a ratio of each other's, with 95 % Student intervals. */
final class CatchUpTables {
  /** What is to be shown. */
  private static final double LEAST = 0.7;

  private static final double MEGABYTE = 1e6;

  private final Map<Long, Map<Integer, Map<String, CatchUpRow>>> sizes = new TreeMap<>();

  CatchUpTables(List<CatchUpRow> rows) {
    for (CatchUpRow row : rows) {
      sizes
          .computeIfAbsent(row.blockBytes(), size -> new TreeMap<>())
          .computeIfAbsent(row.repeat(), repeat -> new TreeMap<>())
          .put(row.leg(), row);
    }
  }

  private double[] each(long size, String leg, ToDoubleFunction<CatchUpRow> figure) {
    return sizes.getOrDefault(size, Map.of()).values().stream()
        .mapToDouble(
            legs -> {
              CatchUpRow row = legs.get(leg);
              return row == null ? Double.NaN : figure.applyAsDouble(row);
            })
        .toArray();
  }

  private static double speed(CatchUpRow row, double seconds) {
    return row.bytes() / MEGABYTE / seconds;
  }

  private MarkdownTable speeds() {
    MarkdownTable table =
        new MarkdownTable(
            "block MB",
            "leg",
            "repeats",
            "blocks",
            "MB",
            "MB/s until copied",
            "MB/s until old replicas are gone",
            "MB/s of the whole command");
    for (long size : sizes.keySet()) {
      for (String leg : CatchUpLegs.LEGS) {
        double[] copied = each(size, leg, row -> speed(row, row.seconds().copied()));
        table.add(
            number(size / MEGABYTE),
            leg,
            Integer.toString(Statistics.estimate(copied).n()),
            text(each(size, leg, CatchUpRow::blocks)),
            text(each(size, leg, row -> row.bytes() / MEGABYTE)),
            text(copied),
            text(each(size, leg, row -> speed(row, row.seconds().all()))),
            text(each(size, leg, row -> speed(row, row.seconds().order()))));
      }
    }
    return table;
  }

  private MarkdownTable ratios() {
    MarkdownTable table =
        new MarkdownTable(
            "block MB",
            "catch-up over",
            "until copied",
            "at least 0.70",
            "until old replicas are gone",
            "at least 0.70",
            "of the whole command",
            "at least 0.70");
    for (long size : sizes.keySet()) {
      for (String leg : CatchUpLegs.LEGS.subList(1, CatchUpLegs.LEGS.size())) {
        double[] other = each(size, leg, row -> speed(row, row.seconds().copied()));
        Ratio copied = ratio(size, CatchUpRow.Seconds::copied, other);
        Ratio all = ratio(size, CatchUpRow.Seconds::all, other);
        Ratio order = ratio(size, CatchUpRow.Seconds::order, other);
        table.add(
            number(size / MEGABYTE),
            leg,
            text(copied),
            verdict(copied),
            text(all),
            verdict(all),
            text(order),
            verdict(order));
      }
    }
    return table;
  }

  private Ratio ratio(long size, ToDoubleFunction<CatchUpRow.Seconds> seconds, double[] other) {
    double[] mine =
        each(size, CatchUpLegs.CATCH_UP, row -> speed(row, seconds.applyAsDouble(row.seconds())));
    return Statistics.ratio(mine, other);
  }

  private static String verdict(Ratio ratio) {
    if (!ratio.hasInterval()) {
      return "undecided";
    }
    return ratio.low() >= LEAST ? "yes" : ratio.high() < LEAST ? "no" : "undecided";
  }

  private static String text(Ratio ratio) {
    if (!ratio.present()) {
      return "";
    }
    String value = number(ratio.ratio());
    return ratio.hasInterval()
        ? value + " [" + number(ratio.low()) + ", " + number(ratio.high()) + "]"
        : value;
  }

  private static String text(double[] values) {
    Estimate found = Statistics.estimate(values);
    if (!found.present()) {
      return "";
    }
    boolean wide = found.hasInterval() && found.halfWidth() > 0;
    return wide ? number(found.mean()) + " +- " + number(found.halfWidth()) : number(found.mean());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.2f" : "%.0f", value);
  }

  @Override
  public String toString() {
    return "Throughput, mean with 95 % interval over repeats:\n\n"
        + speeds()
        + "\nThe catch-up's throughput over that of each copy, by repeats:\n\n"
        + ratios();
  }
}
