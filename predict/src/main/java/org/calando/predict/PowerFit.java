package org.calando.predict;

import java.util.List;
import java.util.Locale;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;

/*
 * Where a meter measured watts, idle and busy are the ends of the straight line through the runs' mean watts of a node by
 * the busy share of its cores. Where watts were modelled, they follow from the study's profile, and that is all there is
 * to know.
 */
/** The power profile that runs tell of. */
final class PowerFit {
  private static final int LEAST_RUNS = 5;
  private static final double LEAST_SPREAD = 0.1;

  private PowerFit() {}

  /** That of some runs, one or more. */
  static NodeProfile of(List<MeasuredRun> runs) {
    NodeProfile given = runs.get(0).profile();
    SimpleRegression line = new SimpleRegression();
    double least = 1;
    double most = 0;
    for (MeasuredRun run : runs) {
      if (run.watts() > 0) {
        double share = given.utilisation(run.figures().nodeCores().get(0), 1);
        line.addData(share, run.watts());
        least = Math.min(least, share);
        most = Math.max(most, share);
      }
    }
    boolean enough = line.getN() >= LEAST_RUNS && most - least >= LEAST_SPREAD;
    if (!enough || !(line.getSlope() >= 0) || !(line.getIntercept() >= given.offWatts())) {
      return given;
    }
    return new NodeProfile(
        given.name(),
        given.offWatts(),
        line.getIntercept(),
        line.predict(1),
        given.cores(),
        given.cpuScale(),
        PowerCurve.linear(),
        given.bootSeconds(),
        given.bootWatts(),
        String.format(
            Locale.ROOT,
            "idle and busy fitted to measured watts of %d runs, within %.1f W; the rest as of %s",
            line.getN(),
            Math.sqrt(line.getMeanSquareError()),
            given.name()));
  }
}
