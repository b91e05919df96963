package org.calando.core.layout.gear;

import org.calando.core.energy.NodeProfile;

/*
 * A process starts within seconds, the machine that it stands for boots for minutes. So a shift up costs what the profile
 * says of booting, for each node that comes, and then its idle power for as long as the shift took here; a shift down costs
 * the idle power of the nodes that leave until it is over. To both comes what all nodes worked for it: their CPU time above
 * idle. It is what core.policy.gear.GearModel takes a shift for, with the seconds and the work of a real one.
 */
/** Models what a shift of a local cluster takes in joules. Stateless. */
public final class ShiftEnergy {
  private ShiftEnergy() {}

  /**
   * Of a shift.
   *
   * @param profile of every node
   * @param up whether nodes came on
   * @param nodes how many came on or went off
   * @param seconds it took
   * @param cpuSeconds that all nodes' processes used meanwhile, at least 0
   */
  public static double joules(
      NodeProfile profile, boolean up, int nodes, double seconds, double cpuSeconds) {
    double boot = up ? nodes * profile.bootSeconds() * profile.bootWatts() : 0;
    return boot
        + nodes * profile.idleWatts() * seconds
        + profile.marginalJoulesPerCpuSecond() * cpuSeconds;
  }
}
