package org.calando.plan;

import java.util.Arrays;
import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.calando.core.workload.Mix;
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
  static Offered of(PlanFile file) {
    WorkloadSpec workload = file.part().of(Axes.WORKLOAD).get(0);
    Mix mix = WorkloadBinder.bind(workload).workload().mix().normalised();
    RateSpec rate = file.rate();
    return new Offered(
        Math.min(mean(rate), rate.peakPerSecond()),
        rate.peakPerSecond(),
        mix.read() + mix.scan() + mix.readModifyWrite(),
        mix.update() + mix.insert() + mix.readModifyWrite());
  }

  private static double mean(RateSpec rate) {
    if (rate instanceof RateSpec.Traced traced) {
      return Arrays.stream(traced.trace().rates()).average().orElse(0);
    }
    if (rate instanceof RateSpec.Steps steps) {
      List<RateSpec.Step> all = steps.steps();
      double nanos = all.stream().mapToDouble(RateSpec.Step::durationNanos).sum();
      return all.stream().mapToDouble(step -> step.perSecond() * step.durationNanos()).sum()
          / nanos;
    }
    if (rate instanceof RateSpec.Ramp ramp) {
      return (ramp.fromPerSecond() + ramp.toPerSecond()) / 2;
    }
    return rate.peakPerSecond();
  }

  /** Idle power of a node over its busy power. */
  static double idleShare(NodeProfile profile) {
    return profile.busyWatts() == 0 ? 0 : profile.idleWatts() / profile.busyWatts();
  }
}
