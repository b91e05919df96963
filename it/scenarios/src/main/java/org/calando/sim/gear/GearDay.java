package org.calando.sim.gear;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.FixedGearPolicy;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearObservation.Load;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.GearState;
import org.calando.load.LoadTrace;

/**
 * Days of a cluster with gears under a load trace: a policy decides at each step's begin, from the
 * load of the step before. Immutable and thread safe; the same always comes to the same bytes.
 *
 * @param model of the cluster
 * @param trace its load
 * @param writtenBytes new data for each operation that is served, in bytes, 0 or more
 * @param beginSeconds local time of the trace's begin, in seconds since a Monday, 00:00
 * @param speed local seconds that pass in a second of the trace: 1, or how far it was compressed
 */
public record GearDay(
    GearModel model, LoadTrace trace, double writtenBytes, long beginSeconds, double speed) {
  private static final String TARGET = "cluster";

  public GearDay {
    if (!(writtenBytes >= 0) || beginSeconds < 0 || !(speed > 0)) {
      throw new IllegalArgumentException(
          "%s bytes an operation, from second %d, speed %s"
              .formatted(writtenBytes, beginSeconds, speed));
    }
  }

  /** Of a trace that begins on a Monday, 00:00, and is as long as it was. */
  public static GearDay of(GearModel model, LoadTrace trace, double writtenBytes) {
    return new GearDay(model, trace, writtenBytes, 0, 1);
  }

  /**
   * The accounts of one stretch of the trace after the other.
   *
   * @param policy what decides, from its beginning
   * @param stretchSteps steps of a stretch, 1 or more; the last may be shorter
   */
  public List<GearAccount> run(GearPolicy policy, int stretchSteps) {
    GearCluster cluster = new GearCluster(model, writtenBytes);
    PolicyLoop<GearState> loop = new PolicyLoop<>(policy, TARGET);
    double stepSeconds = trace.stepNanos() / 1e9;
    List<GearAccount> accounts = new ArrayList<>();
    for (int step = 0; step < trace.steps(); step++) {
      Decision<GearState> decision = loop.decide(observation(cluster, step));
      cluster.order(decision.value(KnobId.GEAR).orElse(cluster.gear()));
      cluster.advance(stepSeconds, trace.perSecond(step));
      if ((step + 1) % stretchSteps == 0 || step + 1 == trace.steps()) {
        accounts.add(cluster.take());
      }
    }
    return accounts;
  }

  /** The account of the whole trace. */
  public GearAccount run(GearPolicy policy) {
    return run(policy, trace.steps()).get(0);
  }

  /** All nodes on, all the time: what savings count from. */
  public GearPolicy allOn() {
    return new FixedGearPolicy(model.highest());
  }

  /**
   * The cheapest gears, found with the whole trace known.
   *
   * @param fineWatts joules that a second costs in which not all are served
   */
  public HindsightGearPolicy hindsight(double fineWatts) {
    HindsightPlan.Known known =
        new HindsightPlan.Known(trace.rates(), trace.stepNanos() / 1e9, writtenBytes);
    HindsightPlan plan = HindsightPlan.of(model, known, model.highest(), fineWatts);
    return new HindsightGearPolicy(plan, 0, trace.stepNanos());
  }

  private GearObservation observation(GearCluster cluster, int step) {
    long now = step * trace.stepNanos();
    // Before the first step nothing was seen.
    Optional<Load> load =
        step == 0 ? Optional.empty() : Optional.of(seen(now, trace.perSecond(step - 1)));
    long local = beginSeconds + (long) Math.floor(now / 1e9 * speed + 1e-6);
    return new GearObservation(now, local, TARGET, cluster.gear(), 0, load);
  }

  private Load seen(long now, double perSecond) {
    return new Load(now, perSecond, perSecond * writtenBytes);
  }
}
