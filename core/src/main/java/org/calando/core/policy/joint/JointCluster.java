package org.calando.core.policy.joint;

import java.util.List;
import org.calando.core.energy.CorePower;
import org.calando.core.energy.NodeProfile;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.Words;

/**
 * What a joint controller may set, and of what cluster. Groups of nodes are switched together; in a
 * gear the groups up to it are on, and each node of a group holds as much. Immutable and thread
 * safe.
 *
 * @param placing where a key is, and which nodes a read asks
 * @param replicas replicas of a key, N, 1 or more
 * @param writeReplicas replicas that acknowledge a write, W, 1 .. N
 * @param nodesOn nodes that are on in gear 1, 2, ..., strictly increasing; one entry for a cluster
 *     without gears
 * @param copies replicas of a key that are on in each of these, strictly increasing up to N; where
 *     keys move to the servers that are left, 1 in each
 * @param profile of every node
 * @param clocks of their cores; where there are masters, of the others alone: masters are fast
 * @param offSeconds from the order to power off of a shift down, 0 or more
 * @param costs what operations cost
 */
public record JointCluster(
    Placing placing,
    int replicas,
    int writeReplicas,
    List<Integer> nodesOn,
    List<Integer> copies,
    NodeProfile profile,
    CoreClocks clocks,
    double offSeconds,
    WorkCosts costs) {
  /** Checks that all fits together. */
  public JointCluster {
    nodesOn = List.copyOf(nodesOn);
    copies = List.copyOf(copies);
    boolean sound =
        replicas >= 1
            && writeReplicas >= 1
            && writeReplicas <= replicas
            && !nodesOn.isEmpty()
            && nodesOn.size() == copies.size()
            && copies.get(copies.size() - 1) == replicas
            && increases(nodesOn)
            && (placing == Placing.SERVERS
                ? copies.stream().allMatch(each -> each == 1)
                : increases(copies))
            && (placing != Placing.MASTER || (nodesOn.size() == 1 && replicas > 1))
            && offSeconds >= 0;
    if (!sound) {
      throw new IllegalArgumentException(
          "%s, %d of %d replicas written, %s nodes and %s copies in gears"
              .formatted(placing, writeReplicas, replicas, nodesOn, copies));
    }
  }

  /** One of nodes that are alike. */
  public JointCluster(
      int replicas,
      int writeReplicas,
      List<Integer> nodesOn,
      List<Integer> copies,
      NodeProfile profile,
      CoreClocks clocks,
      double offSeconds,
      WorkCosts costs) {
    this(
        Placing.REPLICAS,
        replicas,
        writeReplicas,
        nodesOn,
        copies,
        profile,
        clocks,
        offSeconds,
        costs);
  }

  /** Clocks of the cores in kHz, the fastest first. */
  public List<Long> clocksKHz() {
    return clocks.kHz();
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
    return switch (placing) {
      case REPLICAS -> copies < writeReplicas ? copies : copies - writeReplicas + 1;
      case MASTER -> 2;
      case SERVERS -> 1;
    };
  }

  /** What a safe read asks: a quorum, if strong ones ask more. */
  public ReadChoice safe() {
    int strong = strong(highest());
    return ReadChoice.of(placing == Placing.REPLICAS ? Math.min(replicas / 2 + 1, strong) : strong);
  }

  /** What reads ask where nothing is known: a safe read, or a strong one without stale reads. */
  public ReadChoice fallback(Promise promise) {
    boolean mayBeStale = promise.limit(Promised.STALE).orElse(0) > 0;
    return mayBeStale ? safe() : ReadChoice.of(strong(highest()));
  }

  /** What reads ask, in words; empty where there is no choice. */
  String words(ReadChoice reads) {
    return switch (placing) {
      case REPLICAS -> Words.choice(reads);
      case MASTER ->
          reads.replicas() > 1
              ? "reads at the master"
              : reads.shareAbove() == 0
                  ? "reads at replicas"
                  : "reads at replicas, "
                      + Words.percent(reads.shareAbove())
                      + " of them at the master";
      case SERVERS -> "";
    };
  }

  /** Cores that a node's work for clients is spread over: a server with a master has one thread. */
  int threads() {
    return placing == Placing.MASTER ? 1 : profile.cores();
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
    return (double) clocksKHz().get(0) / clocksKHz().get(clock);
  }

  /** Power of a node at a busy share and a clock, in watts. */
  double watts(double busyShare, int clock) {
    if (clocksKHz().size() == 1 || profile.busyWatts() == 0) {
      return profile.watts(busyShare);
    }
    double idleShare = profile.idleWatts() / profile.busyWatts();
    double share = profile.curve().share(Math.min(1, busyShare));
    return profile.busyWatts()
        * CorePower.ofIdleShare(idleShare, Math.min(clocks.idleActivity(), idleShare))
            .share(clocks.relativePower().get(clock), share);
  }
}
