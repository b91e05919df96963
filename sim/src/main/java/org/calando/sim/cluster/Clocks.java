package org.calando.sim.cluster;

import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.energy.CorePower;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;

/**
 * Clocks that nodes' cores can run at. Work takes longer by the ratio of clocks, but for the part
 * of it that waits for memory, and power falls by the square of the voltage too: of a node's cores
 * as {@link CorePower} says, whose static share follows from the profile's idle and busy power.
 *
 * @param states of every node's cores; nodes begin at the fastest one
 * @param idleActivity dynamic power of an idle core as a share of a busy one's, 0 .. below 1; no
 *     more than idle power over busy power
 * @param memoryShare of work's time at the fastest clock, in which cores wait for memory, whose
 *     speed clocks do not change, 0 .. 1
 */
public record Clocks(PStates states, double idleActivity, double memoryShare) {
  /** Checks the shares. */
  public Clocks {
    if (!(memoryShare >= 0 && memoryShare <= 1)) {
      throw new BadRequestException(
          "memory's share %s is not a share of 0 to 1".formatted(memoryShare), "clocks", "");
    }
    if (!(idleActivity >= 0 && idleActivity < 1)) {
      throw new BadRequestException(
          "idle activity %s is not a share of 0 to below 1".formatted(idleActivity), "clocks", "");
    }
  }

  /** How many times as long work takes at a clock as at the fastest. */
  double stretch(double ghz) {
    return memoryShare + (1 - memoryShare) * (states.fastestGhz() / ghz);
  }

  /** Power of a node whose cores run at a clock of this relative power. */
  double watts(NodeProfile profile, double busyShare, double relativePower) {
    if (profile.busyWatts() == 0) {
      return 0;
    }
    double idleShare = profile.idleWatts() / profile.busyWatts();
    return profile.busyWatts()
        * CorePower.ofIdleShare(idleShare, idleActivity)
            .share(relativePower, profile.curve().share(busyShare));
  }

  /** What is wrong with them for nodes of some profiles; empty if nothing is. */
  List<String> problems(List<NodeProfile> profiles) {
    return profiles.stream()
        .filter(profile -> idleActivity * profile.busyWatts() > profile.idleWatts())
        .map(
            profile ->
                "clocks: idle activity of %s, above the idle share of profile %s"
                    .formatted(idleActivity, profile.name()))
        .toList();
  }
}
