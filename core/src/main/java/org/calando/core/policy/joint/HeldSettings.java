package org.calando.core.policy.joint;

import org.calando.core.energy.NodeProfile;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.joint.JointModel.Forecast;

/**
 * What settings cost that are held while a load stays, by the closed forms of the joint controller;
 * nothing has been seen that would correct them. Immutable and thread safe.
 *
 * @param cluster what there is to set
 */
public record HeldSettings(JointCluster cluster) {
  /**
   * What a setting comes to.
   *
   * @param busyShare of the cores of the busiest nodes; from 1 on they fall behind
   * @param p99Seconds that 99 % of the reads take at most; queues are taken to be longer than they
   *     are
   * @param watts of all nodes, those that are off too
   */
  public record Cost(double busyShare, double p99Seconds, double watts) {}

  /**
   * Predicts.
   *
   * @param readsPerSecond that clients send, 0 or more
   * @param writesPerSecond likewise
   * @param gear 1 or more
   * @param clock index into the cluster's clocks
   * @param replicas that reads ask
   */
  public Cost of(double readsPerSecond, double writesPerSecond, int gear, int clock, int replicas) {
    Forecast forecast =
        new JointModel(cluster, readsPerSecond, writesPerSecond, 1, 1, 1, 1)
            .of(gear, clock, ReadChoice.of(replicas));
    return new Cost(forecast.busyShare(), forecast.p99Seconds(), forecast.watts());
  }

  /**
   * Power of all nodes whose cores were busy for a share of the time, on a straight power curve.
   *
   * @param busyShare of the cores of the nodes that are on, in the mean
   */
  public double watts(int gear, int clock, double busyShare) {
    int on = cluster.nodes(gear);
    int off = cluster.nodes(cluster.highest()) - on;
    return on * cluster.watts(busyShare, clock) + off * cluster.profile().offWatts();
  }

  /** The same nodes, which draw another share of their busy power while idle. */
  public HeldSettings withIdleShare(double idleShare) {
    NodeProfile profile = idle(cluster.profile(), idleShare);
    return new HeldSettings(
        new JointCluster(
            cluster.placing(),
            cluster.replicas(),
            cluster.writeReplicas(),
            cluster.nodesOn(),
            cluster.copies(),
            profile,
            cluster.clocks(),
            cluster.offSeconds(),
            cluster.costs()));
  }

  /**
   * A profile whose idle power is a share of its busy power, and whose curve has the same shape.
   */
  public static NodeProfile idle(NodeProfile profile, double idleShare) {
    double idleWatts = idleShare * profile.busyWatts();
    return new NodeProfile(
        profile.name(),
        Math.min(profile.offWatts(), idleWatts),
        idleWatts,
        profile.busyWatts(),
        profile.cores(),
        profile.cpuScale(),
        profile.curve(),
        profile.bootSeconds(),
        profile.bootWatts(),
        profile.source());
  }
}
