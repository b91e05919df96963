package org.calando.sim.control;

import java.util.Optional;
import org.calando.control.ControlLoop;
import org.calando.control.HeldGear;
import org.calando.control.LoopListener;
import org.calando.control.ShiftedNodes;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.GearState;
import org.calando.core.time.Scheduler;
import org.calando.sim.cluster.SimCluster;

/*
 *   operations begun --> load of the last period --> ControlLoop --> nodes on and off
 */
/**
 * Shifts the gears of a simulated cluster by a policy, in simulated time, from the gear in which
 * the policy begins. Deciding takes no time and no work. Belongs to the simulation's thread.
 */
public final class SimGears implements ShiftedNodes.Shifting {
  private final SimShifts shifts;
  private final ControlLoop<GearState> loop;

  /**
   * Begins, with a decision at the present time.
   *
   * @param model whose nodes are those of the cluster
   * @param listener hears of each decision
   */
  public SimGears(
      SimCluster cluster,
      Scheduler scheduler,
      ShiftedNodes.Settings settings,
      GearModel model,
      GearPolicy policy,
      LoopListener listener) {
    this.shifts = new SimShifts(cluster, scheduler, settings, model);
    shifts.beginIn(policy.first(model.highest()));
    this.loop =
        ControlLoop.looking(
                scheduler,
                new PolicyLoop<>(policy, SimShifts.TARGET),
                now -> Optional.of(shifts.look(now)),
                new HeldGear(shifts, false, HeldGear.OnFailure.END, false, look -> {}))
            .periodNanos(settings.decideNanos())
            .atOnce()
            .listener(listener)
            .start();
  }

  /** The gear that the cluster is in, or being shifted to. */
  public int gear() {
    return shifts.gear();
  }

  @Override
  public ShiftedNodes.Totals totals() {
    return shifts.totals();
  }

  @Override
  public void close() {
    loop.close();
  }
}
