package org.calando.predict;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.calando.studyfile.profile.Quantity;

/**
 * A figure that a fit is to meet.
 *
 * @param configuration number of its configuration
 * @param quantity what it is
 * @param log logarithm of what was measured
 * @param spread how far from it a good model may be: a standard deviation of the logarithm
 * @param error the part of it that is the measurement's: the standard error of the mean over runs
 */
record Target(int configuration, Quantity quantity, double log, double spread, double error) {
  /** Every figure that configurations tell. */
  static List<Target> of(List<Configuration> configurations, boolean staged) {
    List<Target> targets = new ArrayList<>();
    Map<Quantity, Double> ofOneRun = new EnumMap<>(Quantity.class);
    Quantity.fitted(staged)
        .forEach(q -> ofOneRun.put(q, Configuration.pooledError(configurations, q)));
    for (int i = 0; i < configurations.size(); i++) {
      Configuration configuration = configurations.get(i);
      for (Quantity quantity : Quantity.fitted(staged)) {
        if (configuration.tells(quantity)) {
          double error =
              configuration.relativeError(quantity, ofOneRun.getOrDefault(quantity, 0.0));
          double spread = Math.hypot(quantity.modelError(), error);
          double log = quantity.log(configuration.mean(quantity));
          targets.add(new Target(i, quantity, log, spread, error));
        }
      }
    }
    return List.copyOf(targets);
  }

  /** How far figures are from it, in standard deviations; far ones count less than they are. */
  double residual(Figures figures) {
    double away = difference(figures) / spread / FAR;
    double bent = FAR * Math.signum(away) * Math.log(Math.abs(away) + Math.hypot(away, 1));
    return Double.isFinite(bent) ? bent : MOST;
  }

  /** The logarithm of simulated over measured that a residual stands for. */
  double unbent(double residual) {
    return FAR * Math.sinh(residual / FAR) * spread;
  }

  /** The logarithm of simulated over measured; NaN if there is none. */
  private double difference(Figures figures) {
    return quantity.log(figures.get(quantity)) - log;
  }

  /** Where residuals begin to be bent, so that no single figure decides a fit. */
  private static final double FAR = 3;

  private static final double MOST = 30;
}
