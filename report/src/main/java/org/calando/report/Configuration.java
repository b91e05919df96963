package org.calando.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Spread;
import org.calando.report.column.Column;
import org.calando.report.column.RunColumns;

/**
 * One point of a study's matrix and its repeats. Figures are over the runs that succeeded.
 * Immutable.
 *
 * @param label what tells this configuration from others under the same load, such as {@code
 *     QUORUM}
 * @param load the load it was under
 * @param ok runs that succeeded
 * @param failed runs that failed
 */
public record Configuration(String label, Load load, List<RunRow> ok, List<RunRow> failed) {
  /** How many runs it has, failed ones too. */
  public int runs() {
    return ok.size() + failed.size();
  }

  /** {@code ok}, {@code failed}, or how many of the runs succeeded. */
  public String status() {
    if (failed.isEmpty()) {
      return "ok";
    }
    return ok.isEmpty() ? "failed" : ok.size() + "/" + runs() + " ok";
  }

  /** Mean and interval of a figure over the repeats. */
  public Estimate estimate(ToDoubleFunction<RunRow> figure) {
    return Statistics.estimate(values(figure));
  }

  /** Mean and interval of a column over the repeats. */
  public Estimate estimate(Column column) {
    return estimate(row -> row.number(column));
  }

  /** Middle and range of a column over the repeats. */
  public Spread spread(Column column) {
    return Statistics.spread(values(row -> row.number(column)));
  }

  /** The sum over the runs, NaN if no run has the figure. */
  public double sum(Column column) {
    double sum = Double.NaN;
    for (RunRow row : ok) {
      double value = row.number(column);
      if (!Double.isNaN(value)) {
        sum = Double.isNaN(sum) ? value : sum + value;
      }
    }
    return sum;
  }

  /** A figure of each run, in the order of the file; NaN where it is missing. */
  public double[] values(ToDoubleFunction<RunRow> figure) {
    return ok.stream().mapToDouble(figure).toArray();
  }

  /** The provenance words of the runs' joules, joined by {@code +} if they differ. */
  public String provenance() {
    return String.join(" + ", ok.stream().map(RunRow::provenance).distinct().sorted().toList());
  }

  /** A figure against that of a reference, repeat by repeat. */
  public Statistics.Ratio ratioTo(Configuration reference, ToDoubleFunction<RunRow> figure) {
    List<double[]> pairs = pairs(reference, figure);
    return Statistics.ratio(
        pairs.stream().mapToDouble(p -> p[0]).toArray(),
        pairs.stream().mapToDouble(p -> p[1]).toArray());
  }

  /** A figure less that of a reference, repeat by repeat. */
  public Statistics.Shift shiftTo(Configuration reference, ToDoubleFunction<RunRow> figure) {
    return Statistics.paired(
        pairs(reference, figure).stream().mapToDouble(p -> p[0] - p[1]).toArray());
  }

  private List<double[]> pairs(Configuration reference, ToDoubleFunction<RunRow> figure) {
    List<double[]> pairs = new ArrayList<>();
    for (RunRow row : ok) {
      for (RunRow other : reference.ok) {
        if (row.text(RunColumns.REPEAT).equals(other.text(RunColumns.REPEAT))) {
          pairs.add(new double[] {figure.applyAsDouble(row), figure.applyAsDouble(other)});
          break;
        }
      }
    }
    return pairs;
  }

  /** A knob's setting or policy, empty if it is not stated. */
  public String value(Column knob) {
    return (ok.isEmpty() ? failed : ok).get(0).text(knob);
  }

  /** The token layout, empty if it is not stated. */
  String layout() {
    return value(RunColumns.LAYOUT);
  }

  /** The label that it has but for a knob; empty if nothing else tells it. */
  public String labelWithout(Column knob) {
    if (value(knob).isEmpty()) {
      return label;
    }
    String told = Results.knobLabel(knob, value(knob));
    return label.equals(told) ? "" : label.replace(", " + told, "");
  }

  /** Label and load, for lists that mix loads. */
  public String fullLabel() {
    return label + ", " + load.label();
  }
}
