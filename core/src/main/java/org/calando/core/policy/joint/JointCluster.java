package org.calando.core.policy.joint;

import java.util.List;
import org.calando.core.energy.CorePower;
import org.calando.core.energy.NodeProfile;

/**
 * What a joint controller may set, and of what cluster. Groups of nodes are switched together; in a
 * gear the groups up to it are on, and each node of a group holds as much. Immutable and thread
 * safe.
 *
 * @param replicas replicas of a key, N, 1 or more
 * @param writeReplicas replicas that acknowledge a write, W, 1 .. N
 * @param nodesOn nodes that are on in gear 1, 2, ..., strictly increasing; one entry for a cluster
 *     without gears
 * @param copies replicas of a key that are on in each of these, strictly increasing up to N
 * @param profile of every node
 * @param clocksKHz clocks of their cores in kHz, the fastest first; one where none is set
 * @param relativePower dynamic power at each of these as a share of that at the fastest
 * @param idleActivity dynamic power of an idle core as a share of a busy one's, 0 .. below 1
 * @param offSeconds from the order to power off of a shift down, 0 or more
 * @param costs what operations cost
 */
public record JointCluster(
    int replicas,
    int writeReplicas,
    List<Integer> nodesOn,
    List<Integer> copies,
    NodeProfile profile,
    List<Long> clocksKHz,
    List<Double> relativePower,
    double idleActivity,
    double offSeconds,
    WorkCosts costs) {
  /** Checks that all fits together. */
  public JointCluster {
    nodesOn = List.copyOf(nodesOn);
    copies = List.copyOf(copies);
    clocksKHz = List.copyOf(clocksKHz);
    relativePower = List.copyOf(relativePower);
    boolean sound =
        replicas >= 1
            && writeReplicas >= 1
            && writeReplicas <= replicas
            && !nodesOn.isEmpty()
            && nodesOn.size() == copies.size()
            && copies.get(copies.size() - 1) == replicas
            && !clocksKHz.isEmpty()
            && clocksKHz.size() == relativePower.size()
            && increases(nodesOn)
            && increases(copies)
            && offSeconds >= 0;
    if (!sound) {
      throw new IllegalArgumentException(
          "%d of %d replicas written, %s nodes and %s copies in gears, clocks %s"
              .formatted(writeReplicas, replicas, nodesOn, copies, clocksKHz));
    }
  }

  private static boolean increases(List<Integer> values) {
    int last = 0;
    for (int value : values) {
      if (value <= last) {
        return false;
      }
      last = value;
    }
    return true;
  }

  /** Number of gears, which is that of the highest; 1 without gears. */
  public int highest() {
    return nodesOn.size();
  }

  /** Nodes that are on in a gear. */
  public int nodes(int gear) {
    return gear == 0 ? 0 : nodesOn.get(gear - 1);
  }

  /** Replicas of a key that are on in a gear. */
  public int copies(int gear) {
    return gear == 0 ? 0 : copies.get(gear - 1);
  }

  /**
   * Replicas to read in a gear so that no read misses a write that was acknowledged in it: all
   * where it has too few of them for writes.
   */
  public int strong(int gear) {
    int copies = copies(gear);
    return copies < writeReplicas ? copies : copies - writeReplicas + 1;
  }

  /**
   * The highest gear of which no more replicas are on than answer; the lowest, if there is none.
   */
  public int serving(int gear, int liveReplicas) {
    int serving = Math.min(gear, highest());
    while (serving > 1 && copies(serving) > liveReplicas) {
      serving--;
    }
    return serving;
  }

  /** How much slower cores are at a clock than at the fastest, 1 or more. */
  double slowdown(int clock) {
    return (double) clocksKHz.get(0) / clocksKHz.get(clock);
  }

  /** Power of a node at a busy share and a clock, in watts. */
  double watts(double busyShare, int clock) {
    if (clocksKHz.size() == 1 || profile.busyWatts() == 0) {
      return profile.watts(busyShare);
    }
    double idleShare = profile.idleWatts() / profile.busyWatts();
    double share = profile.curve().share(Math.min(1, busyShare));
    return profile.busyWatts()
        * CorePower.ofIdleShare(idleShare, Math.min(idleActivity, idleShare))
            .share(relativePower.get(clock), share);
  }
}
