package org.calando.core.policy.joint;

import java.util.List;
import org.calando.core.policy.ReadChoice;

/*
 * Reads a second r, of which each asks m replicas, writes w, k replicas and n nodes on. Of a group
 * of s nodes that holds c replicas of each key, a node does
 *
 *   coordinating   ((r + w) operation + (r m + w k) message) / n
 *   reading        r m (c / k) / s  read
 *   writing        w c / s          write
 *
 * core seconds a second at the fastest clock; f0 / f times as much at another, and x times as much
 * where nodes are seen to be x times as busy as that. The busiest group's node is the queue that
 * latencies are of; power is that of all groups.
 *
 * Where there is a master, it does (operation + message + read) for each read that it answers, and for
 * each write (operation + write) and a message to each of its replicas; a replica does as much for
 * its reads, and write for each write of its master. Both do so in one thread. On servers that have a
 * key each, what a request of a write costs is shared by all writes that it carries.
 */
/**
 * What latency, utilisation and power a cluster has at a load, by gear, clock and replicas asked.
 * Immutable and thread safe.
 *
 * @param cluster what there is to set
 * @param readsPerSecond that clients send, 0 or more
 * @param writesPerSecond likewise
 * @param work core time over what the cluster's costs say, above 0
 * @param latency the 99th percentile of reads over what the model says, above 0
 * @param skew how much busier the busiest node is than the others, as keys are not alike, 1 or more
 * @param writesEach writes that a request carries, 1 or more; counts where clients may defer them
 */
record JointModel(
    JointCluster cluster,
    double readsPerSecond,
    double writesPerSecond,
    double work,
    double latency,
    double skew,
    double writesEach) {
  /** The 99th percentile of a service over its mean: gamma with a variation of 1/4. */
  private static final double SERVICE_TAIL = 1.65;

  /** So few of the reads may be slower than 99 % of them. */
  private static final double FEW = 0.01;

  /**
   * A setting's forecast.
   *
   * @param busyShare of the cores of the busiest nodes; from 1 on they fall behind
   * @param meanBusyShare of the cores of all nodes that are on
   * @param p99Seconds of reads
   * @param staySeconds how long a write waits and takes at a replica in the mean
   * @param watts of all nodes, those that are off too
   */
  record Forecast(
      double busyShare,
      double meanBusyShare,
      double p99Seconds,
      double staySeconds,
      double watts) {}

  /**
   * Predicts.
   *
   * @param gear 1 or more
   * @param clock index into the cluster's clocks
   * @param reads how many replicas reads ask
   */
  Forecast of(int gear, int clock, ReadChoice reads) {
    return switch (cluster.placing()) {
      case REPLICAS -> ofReplicas(gear, clock, reads);
      case MASTER -> ofMaster(clock, reads);
      case SERVERS -> ofServers(gear, clock);
    };
  }

  private Forecast ofReplicas(int gear, int clock, ReadChoice reads) {
    int nodes = cluster.nodes(gear);
    int copies = cluster.copies(gear);
    double asked = Math.min(copies, reads.mean());
    double slow = cluster.slowdown(clock) * work;
    WorkCosts costs = cluster.costs();
    double operations = readsPerSecond + writesPerSecond;
    double coordinating =
        (operations * costs.operation()
                + (readsPerSecond * asked + writesPerSecond * copies) * costs.message())
            / nodes;
    int cores = cluster.profile().cores();
    double watts = (cluster.nodes(cluster.highest()) - nodes) * cluster.profile().offWatts();
    double busiest = 0;
    double all = 0;
    double jobs = 0;
    for (int group = 1; group <= gear; group++) {
      int size = nodesOf(group);
      double held = cluster.copies(group) - cluster.copies(group - 1);
      double replicaReads = readsPerSecond * asked * held / copies / size;
      double replicaWrites = writesPerSecond * held / size;
      double busy =
          slow
              * (coordinating + replicaReads * costs.read() + replicaWrites * costs.write())
              / cores;
      all += size * busy;
      watts += size * cluster.watts(busy, clock);
      if (busy * skew >= busiest) {
        busiest = busy * skew;
        jobs = skew * (operations / nodes + replicaReads + replicaWrites);
      }
    }
    NodeQueue queue = NodeQueue.of(cores, busiest, jobs == 0 ? 0 : busiest * cores / jobs);
    int most = Math.min(copies, reads.replicas() + (reads.shareAbove() > 0 ? 1 : 0));
    double service = costs.operation() + most * costs.message() + costs.read();
    double p99 = costs.way() + slow * service * SERVICE_TAIL + queue.p99Seconds(most);
    return new Forecast(
        busiest, all / nodes, latency * p99, queue.waitSeconds() + slow * costs.write(), watts);
  }

  /**
   * Nodes that are alike.
   *
   * @param size how many
   * @param clock theirs
   * @param readShare of all reads that they answer
   * @param busySeconds core time of each, a second, at the fastest clock
   * @param jobs of each, a second
   */
  private record Part(int size, int clock, double readShare, double busySeconds, double jobs) {}

  private Forecast ofMaster(int clock, ReadChoice reads) {
    int masters = cluster.nodes(1) / cluster.replicas();
    int others = cluster.nodes(1) - masters;
    double atMaster = reads.replicas() > 1 ? 1 : reads.shareAbove();
    double writes = writesPerSecond / masters;
    WorkCosts costs = cluster.costs();
    double sends = costs.operation() + (cluster.replicas() - 1) * costs.message();
    Part fast = part(masters, 0, atMaster, writes, writes * sends);
    Part slow = part(others, clock, 1 - atMaster, writes, 0);
    return of(List.of(fast, slow), 0);
  }

  private Forecast ofServers(int gear, int clock) {
    int servers = cluster.nodes(gear);
    WorkCosts costs = cluster.costs();
    double requests = writesPerSecond / writesEach / servers;
    double sends = requests * (costs.operation() + costs.message());
    Part all = part(servers, clock, 1, writesPerSecond / servers, sends);
    return of(List.of(all), cluster.nodes(cluster.highest()) - servers);
  }

  /** A part that answers a share of the reads, and has to do so much for writes besides. */
  private Part part(int size, int clock, double readShare, double writes, double sends) {
    double reads = readsPerSecond * readShare / size;
    WorkCosts costs = cluster.costs();
    double busy = reads * readSeconds() + writes * costs.write() + sends;
    return new Part(size, clock, readShare, busy, reads + writes);
  }

  /** Of a read at the one node that it asks. */
  private double readSeconds() {
    return cluster.costs().operation() + cluster.costs().message() + cluster.costs().read();
  }

  private Forecast of(List<Part> parts, int off) {
    int threads = cluster.threads();
    double watts = off * cluster.profile().offWatts();
    double busiest = 0;
    double all = 0;
    double p99 = 0;
    double stay = 0;
    int nodes = 0;
    for (Part part : parts) {
      double slow = cluster.slowdown(part.clock()) * work;
      double busy = slow * part.busySeconds() / threads;
      double share = busy * threads / cluster.profile().cores();
      nodes += part.size();
      all += part.size() * share;
      watts += part.size() * cluster.watts(share, part.clock());
      busiest = Math.max(busiest, busy * skew);
      NodeQueue queue =
          NodeQueue.of(
              threads, busy * skew, part.jobs() == 0 ? 0 : slow * part.busySeconds() / part.jobs());
      if (part.readShare() > FEW) {
        double served = cluster.costs().way() + slow * readSeconds() * SERVICE_TAIL;
        p99 = Math.max(p99, served + queue.p99Seconds());
      }
      stay = queue.waitSeconds() + slow * cluster.costs().write();
    }
    return new Forecast(busiest, all / nodes, latency * p99, stay, watts);
  }

  /** The same at another load. */
  JointModel at(double factor) {
    return new JointModel(
        cluster,
        readsPerSecond * factor,
        writesPerSecond * factor,
        work,
        latency,
        skew,
        writesEach);
  }

  private int nodesOf(int group) {
    return cluster.nodes(group) - cluster.nodes(group - 1);
  }

  /**
   * Seconds after the order from which on a shift to another gear has paid, if the load stays and
   * the cluster shifts back; infinite if never. See {@code DownShift}: nodes that leave draw idle
   * power until they are off, those that boot draw boot power, and writes that a node missed are
   * work when it returns.
   *
   * @param from the gear that is left
   * @param to the gear that is shifted to
   * @param savedWatts what it saves, once it is there
   */
  double breakEvenSeconds(int from, int to, double savedWatts) {
    int changing = Math.abs(cluster.nodes(from) - cluster.nodes(to));
    var profile = cluster.profile();
    double hinted = hintedWatts(Math.abs(cluster.copies(from) - cluster.copies(to)));
    double saved = savedWatts - (to < from ? hinted : 0);
    double down = changing * (profile.idleWatts() - profile.offWatts()) * cluster.offSeconds();
    double up =
        Math.max(0, changing * (profile.bootWatts() - profile.offWatts()) * profile.bootSeconds());
    return saved > 0
        ? Math.max(cluster.offSeconds(), (down + up) / saved)
        : Double.POSITIVE_INFINITY;
  }

  /**
   * What it will take to send on the writes that nodes miss, spread over the time in which they do.
   *
   * @param missing replicas of a key that are off
   */
  double hintedWatts(double missing) {
    var profile = cluster.profile();
    return writesPerSecond
        * missing
        * (cluster.costs().write() + cluster.costs().message())
        * work
        * profile.marginalJoulesPerCpuSecond()
        / profile.cpuScale();
  }
}
