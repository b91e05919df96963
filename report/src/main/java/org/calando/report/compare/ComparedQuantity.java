package org.calando.report.compare;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Ratio;
import org.calando.report.Statistics.Shift;
import org.calando.report.column.Column;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.compare.StudyComparison.Pair;

/**
 * One quantity of two studies, a row for each configuration that both have. Holm's correction is
 * over the rows, which are one table. Immutable.
 *
 * @param comparable false if the two studies' figures are of different origin or scope
 */
record ComparedQuantity(
    String name, String unit, boolean energy, boolean comparable, List<Row> rows) {
  private static final double SIGNIFICANCE = 1 - Statistics.CONFIDENCE;
  private static final double MILLIS_PER_MICRO = 1e-3;

  /**
   * One configuration.
   *
   * @param shownA the first study's figure: the mean, of percentiles the middle run's
   * @param shownB the second study's, likewise
   * @param ratio B to A; {@link Double#NaN} if a figure is zero, and then the shift stands
   * @param shift B less A, for figures that may be zero
   * @param adjustedP p-value after Holm's correction, NaN if there is none
   */
  record Row(
      Pair pair,
      double shownA,
      double shownB,
      Ratio ratio,
      Shift shift,
      boolean byRatio,
      double adjustedP) {
    double p() {
      return byRatio ? ratio.p() : shift.p();
    }

    double value() {
      return byRatio ? ratio.ratio() : shift.value();
    }

    double low() {
      return byRatio ? ratio.low() : shift.low();
    }

    double high() {
      return byRatio ? ratio.high() : shift.high();
    }

    double detectable() {
      return byRatio ? ratio.detectable() : shift.detectable();
    }

    boolean hasInterval() {
      return Double.isFinite(low());
    }

    /**
     * Whether joules may stand against each other: those of one origin, or a simulation's against
     * those that it is to predict.
     */
    boolean comparableOrigins() {
      return StudyDifferences.comparable(pair.a().provenance(), pair.b().provenance());
    }

    private Row adjusted(double p) {
      return new Row(pair, shownA, shownB, ratio, shift, byRatio, p);
    }
  }

  /** Every quantity that both studies have in some configuration. */
  static List<ComparedQuantity> all(List<Pair> pairs, boolean paired, boolean energyComparable) {
    List<ComparedQuantity> all = new ArrayList<>();
    all.add(of("energy", "J, gross", true, r -> r.number(EnergyColumns.ENERGY_J), pairs, paired));
    all.add(of("joules_per_kop", "J per 1000 ops", true, RunRow::joulesPerKop, pairs, paired));
    all.add(
        of(
            "throughput",
            "ops/s",
            false,
            r -> r.number(LoadColumns.THROUGHPUT_OPS_S),
            pairs,
            paired));
    all.add(of("read_p99", "ms", false, millis(LoadColumns.READ_P99_US), pairs, paired));
    all.add(of("write_p99", "ms", false, millis(LoadColumns.WRITE_P99_US), pairs, paired));
    all.add(of("stale_rate", "%", false, r -> r.staleRate() * 100, pairs, paired));
    return all.stream()
        .filter(q -> !q.rows.isEmpty())
        .map(q -> q.energy && !energyComparable ? q.incomparable() : q)
        .toList();
  }

  /** Whether a row's two figures may stand against each other. */
  boolean comparable(Row row) {
    return comparable && (!energy || row.comparableOrigins());
  }

  /** {@code more}, {@code less}, {@code undecided}, or why there is no verdict. */
  String verdict(Row row) {
    if (!comparable(row)) {
      return "not comparable";
    }
    if (!row.hasInterval()) {
      return "one repeat";
    }
    if (row.adjustedP >= SIGNIFICANCE) {
      return "undecided";
    }
    return row.value() > (row.byRatio ? 1 : 0) ? "more" : "less";
  }

  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("quantity", name).put("unit", unit).put("comparable", comparable);
    ArrayNode list = json.putArray("rows");
    for (Row row : rows) {
      ObjectNode entry = list.addObject();
      entry.put("workload", row.pair().workload());
      entry.put("load", row.pair().a().load().shortLabel());
      entry.put("configuration", row.pair().a().label());
      put(entry, "a", row.shownA);
      put(entry, "b", row.shownB);
      entry.put("provenance_a", row.pair().a().provenance());
      entry.put("provenance_b", row.pair().b().provenance());
      if (comparable(row)) {
        put(entry, row.byRatio ? "ratio" : "difference", row.value());
        put(entry, "low", row.low());
        put(entry, "high", row.high());
        put(entry, "p_holm", row.adjustedP);
        put(entry, "could_have_seen", row.detectable());
      }
      entry.put("repeats", row.byRatio ? row.ratio.blocks() : row.shift.n());
      entry.put("verdict", verdict(row));
    }
    return json;
  }

  private ComparedQuantity incomparable() {
    return new ComparedQuantity(name, unit, energy, false, rows);
  }

  private static ComparedQuantity of(
      String name,
      String unit,
      boolean energy,
      ToDoubleFunction<RunRow> figure,
      List<Pair> pairs,
      boolean paired) {
    List<Row> rows = new ArrayList<>();
    for (Pair pair : pairs) {
      Estimate a = pair.a().estimate(figure);
      Estimate b = pair.b().estimate(figure);
      if (a.present() && b.present() && (a.max() > 0 || b.max() > 0)) {
        rows.add(row(pair, figure, paired, name.endsWith("_p99")));
      }
    }
    double[] adjusted =
        Statistics.holm(
            rows.stream()
                .mapToDouble(r -> energy && !r.comparableOrigins() ? Double.NaN : r.p())
                .toArray());
    List<Row> list = new ArrayList<>();
    for (int i = 0; i < adjusted.length; i++) {
      list.add(rows.get(i).adjusted(adjusted[i]));
    }
    return new ComparedQuantity(name, unit, energy, true, List.copyOf(list));
  }

  private static Row row(
      Pair pair, ToDoubleFunction<RunRow> figure, boolean paired, boolean percentile) {
    double[] a = pair.a().values(figure);
    double[] b = pair.b().values(figure);
    // A ratio needs figures above zero; a level without stale reads has a difference only.
    boolean byRatio = min(a) > 0 && min(b) > 0;
    Ratio ratio = paired ? pair.b().ratioTo(pair.a(), figure) : Statistics.welchRatio(b, a);
    Shift shift = paired ? pair.b().shiftTo(pair.a(), figure) : Statistics.welch(b, a);
    return new Row(
        pair, shown(a, percentile), shown(b, percentile), ratio, shift, byRatio, Double.NaN);
  }

  private static double shown(double[] values, boolean percentile) {
    return percentile ? Statistics.spread(values).median() : Statistics.estimate(values).mean();
  }

  private static double min(double[] values) {
    return Arrays.stream(values).filter(Double::isFinite).min().orElse(0);
  }

  private static ToDoubleFunction<RunRow> millis(Column column) {
    return row -> row.number(column) * MILLIS_PER_MICRO;
  }

  private static void put(ObjectNode json, String key, double value) {
    if (Double.isFinite(value)) {
      json.put(key, value);
    }
  }
}
