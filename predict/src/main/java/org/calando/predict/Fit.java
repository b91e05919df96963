package org.calando.predict;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.calando.studyfile.profile.Parameter;
import org.calando.studyfile.profile.Parameters;
import org.calando.studyfile.profile.Quantity;
import org.calando.studyfile.profile.StageThreads;

/*
 * The parameters are those with which simulated figures come nearest to the measured ones:
 *
 *   minimise  sum_i ((ln simulated_i - ln measured_i) / s_i)^2 + sum_j ((ln p_j - ln usual_j) / u_j)^2
 *
 * s_i holds the spread of repeats and how exact the model can be expected to be; the second sum keeps a parameter that no
 * figure tells anything of at its usual value. Steps are Levenberg and Marquardt's, with derivatives by differences of
 * simulations. These use the same random numbers for all parameters, so that differences come of the parameters.
 */
/** Fits parameters to configurations. Immutable. */
final class Fit {
  private static final int MOST_STEPS = 10;
  private static final double DIFFERENCE = 0.12;
  private static final double LONGEST_STEP = 0.7;
  private static final double GOOD_ENOUGH = 0.003;

  private final List<Configuration> configurations;
  private final List<Target> targets;
  private final double[] logs;
  private final double[] residuals;
  private final RealMatrix jacobian;
  private final Optional<StageThreads> stages;

  /** What figures are simulated for: all that does not change while parameters are looked for. */
  private record Problem(
      List<Configuration> configurations,
      List<Target> targets,
      int operations,
      Optional<StageThreads> stages) {}

  private Fit(
      List<Configuration> configurations,
      List<Target> targets,
      double[] logs,
      double[] residuals,
      RealMatrix jacobian,
      Optional<StageThreads> stages) {
    this.stages = stages;
    this.configurations = configurations;
    this.targets = targets;
    this.logs = logs;
    this.residuals = residuals;
    this.jacobian = jacobian;
  }

  /**
   * Fits.
   *
   * @param operations of each simulated run
   * @param stages threads of nodes' stages, whose parameters are fitted then
   * @param progress told of every step, in words
   */
  static Fit of(
      List<Configuration> configurations,
      int operations,
      Optional<StageThreads> stages,
      Consumer<String> progress) {
    List<Target> targets = Target.of(configurations, stages.isPresent());
    Problem problem = new Problem(configurations, targets, operations, stages);
    double[] at = Arrays.copyOf(Parameters.usual().logs(), Parameter.of(stages).size());
    double[] residuals = residuals(problem, at);
    double cost = cost(residuals, at);
    double damping = 0.1;
    RealMatrix jacobian = jacobian(problem, at, residuals);
    for (int step = 1; step <= MOST_STEPS; step++) {
      progress.accept(String.format(Locale.ROOT, "fit, step %d: misfit %.1f", step, cost));
      boolean better = false;
      double before = cost;
      for (int attempt = 0; attempt < 5 && !better; attempt++) {
        double[] next = moved(at, step(jacobian, residuals, at, ones(targets.size()), damping));
        double[] there = residuals(problem, next);
        double costThere = cost(there, next);
        better = costThere < cost;
        damping = better ? damping / 5 : damping * 6;
        if (better) {
          at = next;
          residuals = there;
          cost = costThere;
        }
      }
      if (better) {
        jacobian = jacobian(problem, at, residuals);
      }
      if (!better || before - cost < GOOD_ENOUGH * before) {
        break;
      }
    }
    return new Fit(configurations, targets, at, residuals, jacobian, stages);
  }

  /** The parameters found. */
  Parameters parameters() {
    return Parameters.ofLogs(logs).with(stages);
  }

  /** Threads of nodes' stages, if they are fitted. */
  Optional<StageThreads> stages() {
    return stages;
  }

  /**
   * How much is still unknown of a parameter: the standard deviation of its logarithm after the fit
   * over that before.
   */
  double unknownShare(Parameter parameter) {
    RealMatrix normal = normal(jacobian, ones(targets.size()));
    RealMatrix inverse = new CholeskyDecomposition(normal, 1e-9, 1e-12).getSolver().getInverse();
    return Math.sqrt(inverse.getEntry(parameter.place(), parameter.place())) / parameter.spread();
  }

  /** The configurations that were fitted. */
  List<Configuration> configurations() {
    return configurations;
  }

  /**
   * Root of the mean squared relative difference between fitted and measured figures of a quantity;
   * NaN if there are none.
   */
  double error(Quantity quantity) {
    return Math.sqrt(
        IntStream.range(0, targets.size())
            .filter(i -> targets.get(i).quantity() == quantity)
            .mapToDouble(i -> Math.expm1(targets.get(i).unbent(residuals[i])))
            .map(relative -> relative * relative)
            .average()
            .orElse(Double.NaN));
  }

  /**
   * The parameters if configurations counted otherwise, by one step from the fit: exact where
   * figures depend on the parameters' logarithms along straight lines.
   *
   * @param weights of each configuration, 0 or more
   * @param shifts how much more the measured logarithms are, by target
   */
  Parameters reweighted(double[] weights, double[] shifts) {
    double[] byTarget = new double[targets.size()];
    double[] shifted = residuals.clone();
    for (int i = 0; i < byTarget.length; i++) {
      byTarget[i] = weights[targets.get(i).configuration()];
      shifted[i] -= shifts[i] / targets.get(i).spread();
    }
    return Parameters.ofLogs(moved(logs, step(jacobian, shifted, logs, byTarget, 0))).with(stages);
  }

  /** The figures that are fitted. */
  List<Target> targets() {
    return targets;
  }

  private static double[] ones(int length) {
    double[] ones = new double[length];
    Arrays.fill(ones, 1);
    return ones;
  }

  private static double[] moved(double[] from, double[] by) {
    double[] to = new double[from.length];
    for (int i = 0; i < to.length; i++) {
      to[i] = from[i] + Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, by[i]));
    }
    return Arrays.copyOf(Parameters.ofLogs(to).logs(), to.length);
  }

  /** The step that makes the weighted sum of squares smallest, were residuals straight lines. */
  private static double[] step(
      RealMatrix jacobian, double[] residuals, double[] at, double[] weights, double damping) {
    RealMatrix weighted = weighted(jacobian, weights);
    RealMatrix normal = normal(jacobian, weights);
    RealVector gradient = weighted.transpose().operate(new ArrayRealVector(residuals));
    double[] usual = Parameters.usual().logs();
    for (int place = 0; place < at.length; place++) {
      gradient.addToEntry(place, (at[place] - usual[place]) * precision(place));
    }
    for (int i = 0; i < normal.getRowDimension(); i++) {
      normal.multiplyEntry(i, i, 1 + damping);
    }
    return new CholeskyDecomposition(normal, 1e-9, 1e-12)
        .getSolver()
        .solve(gradient.mapMultiply(-1))
        .toArray();
  }

  private static RealMatrix weighted(RealMatrix jacobian, double... weights) {
    RealMatrix weighted = jacobian.copy();
    for (int row = 0; row < weights.length; row++) {
      weighted.setRowVector(row, weighted.getRowVector(row).mapMultiply(weights[row]));
    }
    return weighted;
  }

  /** Of the least squares, with what is known of parameters before any figure. */
  private static RealMatrix normal(RealMatrix jacobian, double... weights) {
    RealMatrix normal = weighted(jacobian, weights).transpose().multiply(jacobian);
    for (int place = 0; place < normal.getRowDimension(); place++) {
      normal.addToEntry(place, place, precision(place));
    }
    return normal;
  }

  private static double precision(int place) {
    double spread = Parameter.every().get(place).spread();
    return 1 / (spread * spread);
  }

  private static double cost(double[] residuals, double[] at) {
    double cost = 0;
    for (double residual : residuals) {
      cost += residual * residual;
    }
    double[] usual = Parameters.usual().logs();
    for (int place = 0; place < at.length; place++) {
      double away = (at[place] - usual[place]) / Parameter.every().get(place).spread();
      cost += away * away;
    }
    return cost;
  }

  private static RealMatrix jacobian(Problem problem, double[] at, double[] residuals) {
    int parameters = at.length;
    double[][] moved = new double[parameters][];
    double[] by = new double[parameters];
    for (int j = 0; j < parameters; j++) {
      double[] there = at.clone();
      there[j] += DIFFERENCE;
      if (Parameters.ofLogs(there).logs()[j] < there[j]) {
        there[j] = at[j] - DIFFERENCE;
      }
      by[j] = there[j] - at[j];
      moved[j] = there;
    }
    double[][] away = residuals(problem, moved);
    RealMatrix jacobian = new Array2DRowRealMatrix(residuals.length, parameters);
    for (int i = 0; i < residuals.length; i++) {
      for (int j = 0; j < parameters; j++) {
        jacobian.setEntry(i, j, (away[j][i] - residuals[i]) / by[j]);
      }
    }
    return jacobian;
  }

  private static double[] residuals(Problem problem, double[] logs) {
    return residuals(problem, new double[][] {logs})[0];
  }

  /** Residuals at each of several points. */
  private static double[][] residuals(Problem problem, double[][] points) {
    List<Configuration> configurations = problem.configurations();
    List<Target> targets = problem.targets();
    int size = configurations.size();
    long bytes =
        configurations.stream().mapToLong(c -> Simulations.bytes(c.scenario())).max().orElse(1);
    Figures[] figures =
        Simulations.run(
            size * points.length,
            bytes,
            i ->
                ScenarioSimulation.run(
                    configurations.get(i % size).scenario(),
                    Parameters.ofLogs(points[i / size]).with(problem.stages()),
                    problem.operations(),
                    i % size));
    double[][] residuals = new double[points.length][targets.size()];
    for (int point = 0; point < points.length; point++) {
      for (int i = 0; i < targets.size(); i++) {
        Target target = targets.get(i);
        residuals[point][i] = target.residual(figures[point * size + target.configuration()]);
      }
    }
    return residuals;
  }
}
