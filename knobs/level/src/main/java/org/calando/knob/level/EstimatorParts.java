package org.calando.knob.level;

import java.util.Arrays;
import java.util.List;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.Results;
import org.calando.report.RunRow;
import org.calando.report.page.Parts;
import org.calando.report.page.PointsChart;
import org.calando.report.page.Table;
import org.calando.report.page.Table.Cell;

/** Stale rates that the models predicted beside those measured. Immutable. */
final class EstimatorParts {
  private static final double PERCENT = 100;

  /** Rates below this are drawn at it, in percent. */
  private static final double LEAST = 0.01;

  private static final String SCATTER =
      "A mark for each configuration and model: mean over repeats of what the model said for the"
          + " replicas that were asked, against what was measured. On the line both are the same;"
          + " above it the model says too much. Rates below 0.01\u00A0% are drawn at 0.01\u00A0%."
          + " The models are shown as they are: the correction by the canary is not part of it.";

  private static final String ERRORS =
      "Error: predicted less measured, in percentage points; above 0 the model says too much. Rank"
          + " correlation: Spearman\u2019s, 1 if the model puts all settings into the right order."
          + " Settings in which no read can be stale are easy; their number stands beside. Without"
          + " the correction by the canary.";

  private final List<Configuration> settings;

  EstimatorParts(Results results) {
    this.settings = results.measured();
  }

  /** Writes the chart and the table, or nothing if no run has an estimate. */
  void render(Parts parts) {
    List<String> labels = Arrays.stream(Estimator.values()).map(Estimator::label).toList();
    PointsChart chart =
        new PointsChart(
                "adaptive-estimators",
                "Predicted against measured stale rates",
                labels,
                new PointsChart.Axis("measured, %", "measured_percent"),
                new PointsChart.Axis("predicted, %", "predicted_percent"))
            .diagonal(LEAST);
    Table table =
        new Table("adaptive-errors", "Errors of each model over all settings")
            .text("Model", "model")
            .number("Settings", "", "settings")
            .number("Without stale reads", "settings", "settings_without_stale")
            .number("Mean absolute error", "points", "mean_absolute_error_points")
            .number("Bias", "points", "bias_points")
            .number("Largest error", "points", "largest_error_points")
            .number("Rank correlation", "", "rank_correlation");
    double[] measured =
        settings.stream().mapToDouble(c -> c.estimate(RunRow::staleRate).mean()).toArray();
    for (Estimator estimator : Estimator.values()) {
      double[] predicted =
          settings.stream().mapToDouble(c -> c.estimate(estimator.rate()).mean()).toArray();
      EstimatorError error = EstimatorError.of(predicted, measured);
      if (error.settings() > 0) {
        for (int i = 0; i < predicted.length; i++) {
          String setting = settings.get(i).fullLabel();
          chart.add(estimator.label(), setting, measured[i] * PERCENT, predicted[i] * PERCENT);
        }
        table.row(row(estimator, error));
      }
    }
    chart.build(SCATTER).ifPresent(parts::figure);
    parts.table("Errors of the models", table, ERRORS);
  }

  private static List<Cell> row(Estimator estimator, EstimatorError error) {
    return List.of(
        Cell.of(estimator.label()),
        Cell.count(error.settings()),
        Cell.count(error.withoutStale()),
        points(error.meanAbsolute()).withClass("key"),
        points(error.bias()),
        points(error.largest()),
        Cell.value(minus(Figures.figure(error.rank())), error.rank()));
  }

  private static Cell points(double share) {
    double points = share * PERCENT;
    return Cell.value(minus(Figures.figure(points)), points);
  }

  private static String minus(String figure) {
    return figure.replace("-", "\u2212");
  }
}
