package org.calando.sim.cluster;

import java.util.Arrays;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.calando.sim.kernel.Station;

/**
 * The cores and disks of all nodes: work waits for them, is served, and is lost when its node
 * fails. Not thread safe.
 */
final class Nodes {
  /** Told what became of the work of messages. */
  interface Listener {
    /** A message's work is done. */
    void served(int message);

    /** A message came to a node that is down, or its work was given up. */
    void lost(int message);

    /** Whether nobody waits for a message's work any more. */
    boolean isTooLate(int message);
  }

  private final Simulation simulation;
  private final Messages messages;
  private final Operations operations;
  private final ServiceTimes services;
  private final Distribution[] costs;
  private final boolean[] free;
  private final Listener listener;
  private final int handler;
  private final int cpuDone;
  private final int diskDone;
  private final Station[] cpu;
  private final Station[] disk;
  private final RandomStream[] random;
  private final RandomStream[] diskRandom;
  private final double[] slowness;
  private final int[] life;
  private long servedNanos;

  final boolean[] serving;

  Nodes(
      ClusterConfig config,
      Simulation simulation,
      Messages messages,
      Operations operations,
      Listener listener,
      int handler,
      int cpuDone,
      int diskDone) {
    this.simulation = simulation;
    this.messages = messages;
    this.operations = operations;
    this.services = config.services();
    this.listener = listener;
    this.handler = handler;
    this.cpuDone = cpuDone;
    this.diskDone = diskDone;
    RandomStreams streams = new RandomStreams(config.seed());
    int size = config.topology().size();
    cpu = new Station[size];
    disk = new Station[size];
    random = new RandomStream[size];
    diskRandom = new RandomStream[size];
    slowness = new double[size];
    life = new int[size];
    serving = new boolean[size];
    Arrays.fill(slowness, 1);
    Arrays.fill(serving, true);
    for (int node = 0; node < size; node++) {
      cpu[node] = new Station(config.profiles().get(node).cores(), config.mostWaiting());
      disk[node] = new Station(services.disks(), config.mostWaiting());
      random[node] = streams.of("cores", node);
      diskRandom[node] = streams.of("disk", node);
    }
    costs =
        new Distribution[] {
          services.coordinator(),
          services.read(),
          services.digest(),
          services.write(),
          services.write(),
          services.write(),
          services.reply(),
          services.reply()
        };
    free = new boolean[costs.length];
    for (int type = 0; type < costs.length; type++) {
      free[type] = costs[type].isNone();
    }
    free[Messages.REQUEST] &= services.client().isNone() && services.message().isNone();
    boolean scansFree = services.scannedRecord().isNone();
    free[Messages.READ] &= scansFree;
    free[Messages.DIGEST] &= scansFree;
  }

  /** A message reached its node. */
  void arrive(int message) {
    int node = messages.node(message);
    if (!serving[node]) {
      listener.lost(message);
    } else if (free[messages.type(message)]) {
      afterCpu(message);
    } else {
      switch (cpu[node].arrive(message, simulation.nowNanos())) {
        case STARTS -> start(message, node);
        case WAITS -> {}
        case DROPPED -> listener.lost(message);
      }
    }
  }

  /** The event that a message's time on a core is over. */
  void cpuDone(int message) {
    int node = messages.node(message);
    if (messages.life(message) != life[node]) {
      listener.lost(message);
      return;
    }
    int next = cpu[node].depart(simulation.nowNanos());
    if (next != Station.NONE) {
      start(next, node);
    }
    afterCpu(message);
  }

  /** The event that a message's time on a disk is over. */
  void diskDone(int message) {
    int node = messages.node(message);
    if (messages.life(message) != life[node]) {
      listener.lost(message);
      return;
    }
    int next = disk[node].depart(simulation.nowNanos());
    if (next != Station.NONE) {
      startDisk(next, node);
    }
    listener.served(message);
  }

  /** A node stops serving: all its work is lost. */
  void stop(int node) {
    serving[node] = false;
    life[node]++;
    long now = simulation.nowNanos();
    for (Station station : new Station[] {cpu[node], disk[node]}) {
      for (int waiting = station.drop(now); waiting != Station.NONE; waiting = station.drop(now)) {
        listener.lost(waiting);
      }
      station.stop(now);
    }
  }

  /** A node serves again, with nothing to do. */
  void resume(int node) {
    serving[node] = true;
  }

  /** Makes the work that a node starts from now on take a multiple of its time. */
  void slow(int node, double factor) {
    slowness[node] = factor;
  }

  Station cpu(int node) {
    return cpu[node];
  }

  Station disk(int node) {
    return disk[node];
  }

  /** Core time of all work that was started. */
  long startedNanos() {
    return servedNanos;
  }

  private void start(int first, int node) {
    int message = first;
    while (listener.isTooLate(message)) {
      int next = cpu[node].giveUp(simulation.nowNanos());
      listener.lost(message);
      if (next == Station.NONE) {
        return;
      }
      message = next;
    }
    long nanos = costNanos(message, node);
    servedNanos += nanos;
    messages.setLife(message, life[node]);
    simulation.schedule(simulation.nowNanos() + nanos, handler, cpuDone, message);
  }

  private long costNanos(int message, int node) {
    int type = messages.type(message);
    RandomStream stream = random[node];
    long nanos = costs[type].sample(stream);
    if (type == Messages.REQUEST) {
      nanos += services.client().sample(stream);
      for (int i = operations.get(messages.operation(message), Operations.PENDING); i > 0; i--) {
        nanos += services.message().sample(stream);
      }
    } else if (type == Messages.READ || type == Messages.DIGEST) {
      for (long i = operations.getLong(messages.operation(message), Operations.SCANNED);
          i > 0;
          i--) {
        nanos += services.scannedRecord().sample(stream);
      }
    }
    return slowness[node] == 1 ? nanos : StrictMath.round(nanos * slowness[node]);
  }

  private void afterCpu(int message) {
    int type = messages.type(message);
    boolean reads = type == Messages.READ || type == Messages.DIGEST;
    int node = messages.node(message);
    if (!reads
        || services.diskShare() == 0
        || diskRandom[node].nextDouble() >= services.diskShare()) {
      listener.served(message);
      return;
    }
    switch (disk[node].arrive(message, simulation.nowNanos())) {
      case STARTS -> startDisk(message, node);
      case WAITS -> {}
      case DROPPED -> listener.lost(message);
    }
  }

  private void startDisk(int message, int node) {
    long nanos = services.disk().sample(diskRandom[node]);
    messages.setLife(message, life[node]);
    simulation.schedule(simulation.nowNanos() + nanos, handler, diskDone, message);
  }
}
