package org.calando.sim.cluster;

import java.util.Arrays;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.calando.sim.kernel.Station;

/**
 * The cores and disks of all nodes, and the cores of the clients' machine, which count as one more
 * node: work waits for them, is served, and is lost when its node fails. Not thread safe.
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
  private final ServiceTimes services;
  private final WorkTimes times;
  private final Listener listener;
  private final int handler;
  private final int cpuDone;
  private final int diskDone;
  private final Station[] cpu;
  private final Station[] disk;
  private final CoreTime cores;
  private final RandomStream[] diskRandom;
  private final int[] life;
  private final long[] lastWorkNanos;
  private final boolean[] anyOrder;
  private final RandomStream orderRandom;
  private long startedNanos;

  final boolean[] serving;

  Nodes(
      ClusterConfig config,
      HostPlan hosts,
      Simulation simulation,
      Messages messages,
      WorkTimes times,
      Listener listener,
      int handler,
      int cpuDone,
      int diskDone) {
    this.simulation = simulation;
    this.messages = messages;
    this.services = config.services();
    this.times = times;
    this.listener = listener;
    this.handler = handler;
    this.cpuDone = cpuDone;
    this.diskDone = diskDone;
    RandomStreams streams = new RandomStreams(config.seed());
    int size = config.topology().size();
    cpu = stations(hosts, size + 1, config.mostWaiting());
    cores = new CoreTime(size + 1);
    disk = new Station[size];
    diskRandom = new RandomStream[size];
    life = new int[size + 1];
    lastWorkNanos = new long[size + 1];
    anyOrder = new boolean[size + 1];
    orderRandom = streams.of("order of service");
    for (int node = 0; node <= size; node++) {
      anyOrder[node] = hosts.anyOrder(node);
    }
    serving = new boolean[size + 1];
    Arrays.fill(serving, true);
    for (int node = 0; node < size; node++) {
      disk[node] = new Station(services.disks(), config.mostWaiting());
      diskRandom[node] = streams.of("disk", node);
    }
  }

  private static Station[] stations(HostPlan hosts, int size, int mostWaiting) {
    Station[] ofHosts = new Station[hosts.hosts()];
    for (int host = 0; host < ofHosts.length; host++) {
      ofHosts[host] = new Station(hosts.coresOf(host), mostWaiting);
    }
    Station[] ofNodes = new Station[size];
    for (int node = 0; node < size; node++) {
      int host = hosts.hostOf(node);
      // Clients without a machine never have work.
      ofNodes[node] = host < 0 ? new Station(1, mostWaiting) : ofHosts[host];
    }
    return ofNodes;
  }

  /** A message reached its node. */
  void arrive(int message) {
    int node = messages.node(message);
    if (!serving[node]) {
      listener.lost(message);
    } else if (times.isFree(messages.type(message))) {
      afterCpu(message);
    } else {
      switch (cpu[node].arrive(message, simulation.nowNanos())) {
        case STARTS -> start(message, cpu[node]);
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
    long now = simulation.nowNanos();
    cores.change(node, -1, now);
    if (messages.type(message) != Messages.BACKGROUND) {
      lastWorkNanos[node] = now;
    }
    if (anyOrder[node] && cpu[node].waiting() > 1) {
      cpu[node].bringForward(orderRandom.nextInt(cpu[node].waiting()));
    }
    int next = cpu[node].depart(now);
    if (next != Station.NONE) {
      start(next, cpu[node]);
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

  /** A node stops serving: all its work is lost, and that of others on its machine goes on. */
  void stop(int node) {
    long now = simulation.nowNanos();
    serving[node] = false;
    life[node]++;
    for (Station station : new Station[] {cpu[node], disk[node]}) {
      station.drop(message -> messages.node(message) == node, listener::lost, now);
    }
    // What it has in service is lost when its time would have been over.
    while (cores.busy(node) > 0) {
      cores.change(node, -1, now);
      int next = cpu[node].giveUp(now);
      if (next != Station.NONE) {
        start(next, cpu[node]);
      }
    }
    while (disk[node].busy() > 0) {
      disk[node].giveUp(now);
    }
  }

  /** A node serves again, with nothing to do. */
  void resume(int node) {
    serving[node] = true;
  }

  /** When a node last ended work that was for an operation; 0 if it never did. */
  long lastWorkNanos(int node) {
    return lastWorkNanos[node];
  }

  /** Core time that a node has used up to the present time. */
  long busyNanos(int node, long nowNanos) {
    return cores.busyNanos(node, nowNanos);
  }

  /** The cores that a node's work is done on, perhaps beside that of others. */
  Station cpu(int node) {
    return cpu[node];
  }

  /** Core time of all work that was started. */
  long startedNanos() {
    return startedNanos;
  }

  private void start(int first, Station station) {
    int message = first;
    while (listener.isTooLate(message)) {
      int next = station.giveUp(simulation.nowNanos());
      listener.lost(message);
      if (next == Station.NONE) {
        return;
      }
      message = next;
    }
    int node = messages.node(message);
    long nanos = times.nanos(message);
    startedNanos += nanos;
    messages.setLife(message, life[node]);
    cores.change(node, 1, simulation.nowNanos());
    simulation.schedule(simulation.nowNanos() + nanos, handler, cpuDone, message);
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
