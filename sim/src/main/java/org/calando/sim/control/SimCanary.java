package org.calando.sim.control;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.calando.core.BadRequestException;
import org.calando.core.observe.Canaries;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.time.Scheduler;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.RandomStreams;

/*
 * Keys are the last of the cluster's, beyond those of the workload: tried one after the other until
 * every set of replicas that turns up has one, then until there are enough for the canaries under
 * way. A key is used by one canary at a time, so that a version seen is its own.
 */
/** Sends canaries on a simulated cluster at their rate. Belongs to the simulation's thread. */
final class SimCanary {
  private static final int MOST_SETS = 64;
  private static final int MOST_TRIED = 1024;
  private static final int MOST_UNDER_WAY = 256;

  private final SimCluster cluster;
  private final SimCanaryAccess access;
  private final Canaries<Integer> canaries;
  private final double perSecond;
  private final boolean[] counts;
  private final List<Long> keys = new ArrayList<>();
  private final Map<Long, List<Integer>> replicas = new HashMap<>();
  private final Deque<Long> free = new ArrayDeque<>();
  private long version = 1;

  SimCanary(
      SimCluster cluster,
      Scheduler scheduler,
      boolean local,
      double perSecond,
      ConsistencyLevel write,
      Supplier<ReadChoice> inUse,
      long seed) {
    this.cluster = cluster;
    this.perSecond = perSecond;
    Canaries.Settings how = Canaries.Settings.usual(local);
    this.access =
        new SimCanaryAccess(
            cluster,
            scheduler,
            new RandomStreams(seed).of("canary"),
            (long) (how.requestTimeoutSeconds() * 1e9));
    this.canaries = new Canaries<>(access, how, () -> write, inUse, Optional.empty());
    this.counts = counting(cluster, local);
    chooseKeys(4 + (int) Math.ceil(perSecond * 2 * how.deadlineSeconds()));
    free.addAll(keys);
    next();
  }

  private static boolean[] counting(SimCluster cluster, boolean local) {
    Topology topology = cluster.config().topology();
    String clients = cluster.config().clients();
    boolean[] counts = new boolean[topology.size()];
    for (int node = 0; node < counts.length; node++) {
      counts[node] =
          !local || clients == null || topology.nodes().get(node).dataCentre().equals(clients);
    }
    return counts;
  }

  private void chooseKeys(int wanted) {
    int fewest = Math.min(wanted, MOST_UNDER_WAY);
    long most = cluster.config().mostKeys();
    List<Long> filling = new ArrayList<>();
    Set<List<Integer>> seen = new HashSet<>();
    for (long key = most - 1; key >= Math.max(0, most - MOST_TRIED); key--) {
      List<Integer> replicas = replicas(key);
      if (!replicas.isEmpty() && seen.size() < MOST_SETS && seen.add(replicas)) {
        keys.add(key);
      } else if (!replicas.isEmpty() && filling.size() < fewest) {
        filling.add(key);
      }
    }
    int more = Math.max(0, fewest - keys.size());
    keys.addAll(filling.subList(0, Math.min(filling.size(), more)));
    if (keys.isEmpty()) {
      throw new BadRequestException(
          "no key of the simulated cluster has a replica that counts",
          "canary",
          "place replicas in the clients' data centre");
    }
  }

  /** The replicas that count of a key, in order of their numbers. */
  private List<Integer> replicas(long key) {
    return replicas.computeIfAbsent(key, this::placed);
  }

  private List<Integer> placed(long key) {
    return Arrays.stream(cluster.replicas(key))
        .filter(node -> counts[node])
        .sorted()
        .boxed()
        .toList();
  }

  Canaries<Integer> canaries() {
    return canaries;
  }

  SimCanaryAccess access() {
    return access;
  }

  /** Of a key's replicas those that are to answer and do, the fewest over all keys. */
  int liveReplicas() {
    return keys.stream().mapToInt(key -> count(key, this::isLive)).min().orElse(0);
  }

  /** Of a key's replicas those that ought to answer and do not, the most over all keys. */
  int awayReplicas() {
    return keys.stream()
        .mapToInt(key -> count(key, node -> !access.isOff(node) && !canaries.isLive(node)))
        .max()
        .orElse(0);
  }

  private boolean isLive(int node) {
    return !access.isOff(node) && canaries.isLive(node);
  }

  private int count(long key, IntPredicate which) {
    return (int) replicas(key).stream().mapToInt(Integer::intValue).filter(which).count();
  }

  // The gaps vary by half, so that a load with a period of its own is met at all of its phases.
  private void next() {
    access.later(
        (long) ((0.5 + access.random()) / perSecond * 1e9),
        () -> {
          next();
          send();
        });
  }

  private void send() {
    Long key = free.pollFirst();
    if (key != null) {
      canaries.send(key, version++, replicas(key), () -> free.addLast(key));
    }
  }

  void close() {
    access.close();
  }
}
