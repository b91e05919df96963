package org.calando.plan;

import java.util.Arrays;
import org.calando.core.energy.NodeProfile;
import org.calando.core.workload.Mix;
import org.calando.load.LoadTrace;
import org.calando.studyfile.Axes;
import org.calando.studyfile.workload.RateSpec;
import org.calando.studyfile.workload.WorkloadBinder;
import org.calando.studyfile.workload.WorkloadSpec;

/**
 * The load that a plan is for. Immutable.
 *
 * @param mean operations a second
 * @param peak the most of them
 * @param reads share of operations that read
 * @param writes share of operations that write; one that does both counts twice
 */
record Offered(double mean, double peak, double reads, double writes) {
  private static final int SAMPLES = 10_000;

  static Offered of(PlanFile file) {
    WorkloadSpec workload = file.part().of(Axes.WORKLOAD).get(0);
    Mix mix = WorkloadBinder.bind(workload).workload().mix().normalised();
    double[] rates = measured(file);
    return new Offered(
        Arrays.stream(rates).average().orElseThrow(),
        Arrays.stream(rates).max().orElseThrow(),
        mix.read() + mix.scan() + mix.readModifyWrite(),
        mix.update() + mix.insert() + mix.readModifyWrite());
  }

  /** Rates at equal steps of the measured window; all of the load where no time bounds it. */
  private static double[] measured(PlanFile file) {
    RateSpec rate = file.rate();
    double from = file.study().workload().warmUp().nanos();
    double length = file.part().durationNanos();
    double[] rates = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      double part = (i + 0.5) / SAMPLES;
      rates[i] = at(rate, length > 0 ? from + part * length : part * whole(rate));
    }
    return rates;
  }

  private static double whole(RateSpec rate) {
    if (rate instanceof RateSpec.Traced traced) {
      return (double) traced.trace().stepNanos() * traced.trace().steps();
    }
    if (rate instanceof RateSpec.Steps steps) {
      return steps.steps().stream().mapToDouble(RateSpec.Step::durationNanos).sum();
    }
    return rate instanceof RateSpec.Ramp ramp ? ramp.durationNanos() : 1;
  }

  /** The rate at a time of a run; the last one holds. */
  private static double at(RateSpec rate, double nanos) {
    if (rate instanceof RateSpec.Traced traced) {
      LoadTrace trace = traced.trace();
      return trace.perSecond((int) Math.min(trace.steps() - 1, nanos / trace.stepNanos()));
    }
    if (rate instanceof RateSpec.Steps steps) {
      double end = 0;
      for (RateSpec.Step step : steps.steps()) {
        end += step.durationNanos();
        if (nanos < end) {
          return step.perSecond();
        }
      }
      return steps.steps().get(steps.steps().size() - 1).perSecond();
    }
    if (rate instanceof RateSpec.Ramp ramp) {
      double part = Math.min(1, nanos / ramp.durationNanos());
      return ramp.fromPerSecond() + part * (ramp.toPerSecond() - ramp.fromPerSecond());
    }
    return rate.peakPerSecond();
  }

  /** Idle power of a node over its busy power. */
  static double idleShare(NodeProfile profile) {
    return profile.busyWatts() == 0 ? 0 : profile.idleWatts() / profile.busyWatts();
  }
}
