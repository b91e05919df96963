package org.calando.predict;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.calando.studyfile.profile.Interval;
import org.calando.studyfile.profile.Parameter;
import org.calando.studyfile.profile.Parameters;

/*
 * What the parameters might have been had other configurations been chosen and other runs been made of each: a Bayesian
 * bootstrap. Every draw gives each configuration an exponential weight of mean 1, moves each measured figure by an error
 * as large as that of its mean over repeats, and takes the parameters that fit best then, by one step from the fit.
 */
/** Draws of parameters around a fit. Immutable. */
final class Draws {
  /** Draws that are kept. */
  static final int KEPT = 20;

  private static final int FOR_INTERVALS = 400;

  private final Fit fit;
  private final long seed;
  private final List<Parameters> many;

  private Draws(Fit fit, long seed) {
    this.fit = fit;
    this.seed = seed;
    this.many = draw(FOR_INTERVALS, -1);
  }

  static Draws of(Fit fit, long seed) {
    return new Draws(fit, seed);
  }

  /** Those that a profile keeps. */
  List<Parameters> all() {
    return List.copyOf(many.subList(0, KEPT));
  }

  /** Draws of a fit that does not know one of its configurations. */
  List<Parameters> without(int configuration) {
    return draw(KEPT, configuration);
  }

  /** The range of a parameter. */
  Interval interval(Parameter parameter) {
    return Interval.of(many.stream().mapToDouble(draw -> draw.get(parameter)).toArray());
  }

  private List<Parameters> draw(int count, int without) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Parameters> draws = new ArrayList<>();
    List<Target> targets = fit.targets();
    List<Configuration> configurations = fit.configurations();
    for (int i = 0; i < count; i++) {
      double[] weights = new double[configurations.size()];
      for (int c = 0; c < weights.length; c++) {
        double weight = -Math.log(1 - random.nextDouble());
        weights[c] = c == without ? 0 : weight;
      }
      double[] shifts = new double[targets.size()];
      for (int t = 0; t < shifts.length; t++) {
        shifts[t] = gaussian(random) * targets.get(t).error();
      }
      draws.add(fit.reweighted(weights, shifts));
    }
    return draws;
  }

  /** Box and Muller's. */
  private static double gaussian(SplittableRandom random) {
    double radius = Math.sqrt(-2 * Math.log(1 - random.nextDouble()));
    return radius * Math.cos(2 * Math.PI * random.nextDouble());
  }
}
