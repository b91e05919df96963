package org.calando.report.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.Load;
import org.calando.report.Results;
import org.calando.report.Results.LoadGroup;
import org.calando.report.RunRow;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.LoadColumns;
import org.calando.report.page.Table.Cell;

/** Turns results into charts: what to draw, in JSON; how to draw it is the page's script. */
public final class Charts {
  /** More bars than this are left to the table. */
  static final int MOST_BARS = 80;

  /** More configurations than this of several workloads are drawn once only. */
  private static final int MOST_IN_FULL = 15;

  private static final double ANY = Double.POSITIVE_INFINITY;
  private static final double ALL_PERCENT = 100;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Results results;
  private final List<String> labels;
  private final String energyUnit;

  Charts(Results results) {
    this.results = results;
    this.labels = results.measured().stream().map(Configuration::label).distinct().toList();
    this.energyUnit =
        "J per 1000 operations, gross, "
            + (results.commonProvenance().isEmpty()
                ? "of mixed provenance"
                : results.commonProvenance());
  }

  /**
   * The charts for which there are figures.
   *
   * @param detailed ids of those that are left out if there are many configurations
   */
  List<Chart> bars(Set<String> detailed) {
    Set<String> left = isLarge() ? detailed : Set.of();
    return Stream.of(
            bar("energy", "Energy per operation", energyUnit, ANY, RunRow::joulesPerKop),
            bar(
                "throughput",
                "Throughput",
                "operations per second",
                ANY,
                r -> r.number(LoadColumns.THROUGHPUT_OPS_S)),
            bar(
                "stale",
                "Stale reads",
                "% of the reads checked",
                ALL_PERCENT,
                r -> r.staleRate() * 100))
        .flatMap(Optional::stream)
        .filter(chart -> left.stream().noneMatch(id -> chart.id().equals("chart-" + id)))
        .toList();
  }

  private boolean isLarge() {
    long workloads = results.measured().stream().map(c -> c.load().workload()).distinct().count();
    return workloads > 1 && results.measured().size() > MOST_IN_FULL;
  }

  /** A plot of joules against stale rate for each kind of loop and each workload. */
  List<Chart> tradeOffs() {
    List<Chart> charts = new ArrayList<>();
    for (Load.Kind kind : Load.Kind.values()) {
      Map<String, List<LoadGroup>> byWorkload = new LinkedHashMap<>();
      results.groups().stream()
          .filter(g -> g.load().kind() == kind)
          .forEach(
              g -> byWorkload.computeIfAbsent(g.load().owner(), w -> new ArrayList<>()).add(g));
      byWorkload
          .values()
          .forEach(groups -> tradeOff(kind, groups, charts.size()).ifPresent(charts::add));
    }
    return charts;
  }

  /** Everything the page's script draws. */
  static String json(List<Chart> charts) {
    ArrayNode all = JSON.arrayNode();
    charts.forEach(chart -> all.add(chart.data()));
    return all.toString();
  }

  private Optional<Chart> bar(
      String id, String title, String unit, double most, ToDoubleFunction<RunRow> figure) {
    Table table =
        new Table("data-" + id, title + ", " + unit)
            .text("Level", "level")
            .number("Mean", "", "mean")
            .number("95\u00A0% interval", "", "low", "high")
            .text("Each repeat", "repeats");
    ObjectNode chart = JSON.objectNode().put("id", "chart-" + id).put("kind", "bars");
    chart.put("unit", unit);
    ArrayNode groups = chart.putArray("groups");
    List<String> words = new ArrayList<>();
    int bars = 0;
    for (LoadGroup group : results.groups()) {
      List<Configuration> shown =
          group.measured().stream().filter(c -> c.estimate(figure).present()).toList();
      if (shown.isEmpty()) {
        continue;
      }
      String heading = Load.sentence(group.load().label());
      table.section(heading);
      ObjectNode drawn = JSON.objectNode().put("label", heading);
      for (Configuration c : shown) {
        table.row(cells(c.label(), c.estimate(figure), 0, most, c.values(figure)));
        if (bars++ < MOST_BARS) {
          drawn.withArray("rows").add(point(c, most, figure));
          words.add(c.fullLabel() + ": " + Figures.interval(c.estimate(figure)));
        }
      }
      if (!drawn.path("rows").isEmpty()) {
        groups.add(drawn);
      }
    }
    if (bars == 0) {
      return Optional.empty();
    }
    String note =
        bars > MOST_BARS
            ? "The first " + MOST_BARS + " of " + bars + " configurations; the table has all."
            : "";
    return Optional.of(new Chart(title, describe(title, unit, words), note, chart, table));
  }

  private Optional<Chart> tradeOff(Load.Kind kind, List<LoadGroup> groups, int number) {
    String owner = groups.get(0).load().owner();
    String id = "tradeoff-" + kind.name().toLowerCase(Locale.ROOT);
    id = owner.isEmpty() ? id : id + "-" + (number + 1);
    String title = Load.sentence(owner.isEmpty() ? kind.words() : owner + ", " + kind.words());
    Table table =
        new Table("data-" + id, "Energy against stale reads: " + title)
            .text("Level", "level")
            .estimate("Stale reads", "%", "stale_percent")
            .estimate("Energy", energyUnit, "joules_per_kop");
    ObjectNode chart = JSON.objectNode().put("id", "chart-" + id).put("kind", "tradeoff");
    chart.put("x", "stale reads, %").put("y", energyUnit).put("open", kind == Load.Kind.OPEN);
    ArrayNode points = chart.putArray("points");
    List<String> words = new ArrayList<>();
    for (LoadGroup group : groups) {
      for (Configuration c : group.measured()) {
        Estimate stale = c.estimate(r -> r.staleRate() * 100);
        Estimate joules = c.estimate(RunRow::joulesPerKop);
        if (stale.present() && joules.present()) {
          String label =
              groups.size() > 1 ? c.label() + ", " + group.load().shortLabel() : c.label();
          ObjectNode point = points.addObject().put("label", label).put("tone", tone(c));
          point.set("x", point(c, ALL_PERCENT, r -> r.staleRate() * 100));
          point.set("y", point(c, ANY, RunRow::joulesPerKop));
          table.row(List.of(Cell.of(c.fullLabel()), Cell.of(stale), Cell.of(joules)));
          words.add(
              label + ": " + Figures.figure(stale.mean()) + " %, " + Figures.interval(joules));
        }
      }
    }
    if (points.isEmpty()) {
      return Optional.empty();
    }
    String unit = "stale reads in %, " + energyUnit;
    return Optional.of(new Chart(title, describe("Trade-off", unit, words), "", chart, table));
  }

  private ObjectNode point(Configuration c, double most, ToDoubleFunction<RunRow> figure) {
    ObjectNode point = point(c.label(), tone(c), c.estimate(figure), c.values(figure));
    return point.path("high").asDouble(0) > most ? point.put("high", most) : point;
  }

  /** What the page's script draws as a mark with an interval and a dot for each repeat. */
  public static ObjectNode point(String label, int tone, Estimate estimate, double... values) {
    ObjectNode point = JSON.objectNode().put("label", label).put("tone", tone);
    point.put("mean", estimate.mean());
    if (estimate.hasInterval()) {
      point.put("low", estimate.low()).put("high", estimate.high());
    }
    ArrayNode runs = point.putArray("runs");
    for (double value : values) {
      if (Double.isFinite(value)) {
        runs.add(value);
      }
    }
    return point;
  }

  /** The same as cells: label, mean, interval, repeats. */
  static List<Cell> cells(String label, Estimate estimate, double... values) {
    return cells(label, estimate, Double.NEGATIVE_INFINITY, ANY, values);
  }

  /** The same of a figure that cannot be less or more than so much, and whose interval may be. */
  private static List<Cell> cells(
      String label, Estimate estimate, double least, double most, double... values) {
    List<String> repeats = new ArrayList<>();
    for (double value : values) {
      repeats.add(Figures.figure(value));
    }
    String interval =
        estimate.hasInterval()
            ? Figures.range(Math.max(least, estimate.low()), Math.min(most, estimate.high()))
            : Figures.NONE;
    List<String> ends = List.of(Figures.exact(estimate.low()), Figures.exact(estimate.high()));
    return List.of(
        Cell.of(label),
        Cell.value(Figures.figure(estimate.mean()), estimate.mean()),
        new Cell(interval, "", "", "", ends),
        Cell.of(String.join("; ", repeats)));
  }

  /** A colour and a shape belong to a label throughout the page. */
  private int tone(Configuration c) {
    return labels.indexOf(c.label());
  }

  private static String describe(String title, String unit, List<String> words) {
    int most = Math.min(words.size(), 24);
    String more = words.size() > most ? "; and " + (words.size() - most) + " more" : "";
    return title + " in " + unit + ". " + String.join("; ", words.subList(0, most)) + more + ".";
  }
}
