package org.calando.sim.cluster;

import java.util.Arrays;
import org.calando.sim.kernel.CoreTime;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.calando.sim.kernel.Station;
import org.calando.sim.stage.NodeStages;
import org.jspecify.annotations.Nullable;

/**
 * The cores and disks of all nodes, and the cores of the clients' machine, which count as one more
 * node: work waits for them, is served, and is lost when its node fails. Where nodes have {@link
 * NodeStages}, messages wait for a thread of each stage that they pass. Not thread safe.
 */
final class Nodes {
  /** Told what became of the work of messages. */
  interface Listener {
    /** A read's work begins: what it will return is what its node has now. */
    void begins(Message message);

    /** A message's work is done. */
    void served(Message message);

    /** A message came to a node that is down, or its work was given up. */
    void lost(Message message);

    /** Whether a message's sender failed before the message left. */
    boolean neverLeft(Message message);
  }

  /** The event that a message reaches its node. */
  static final int ARRIVE = 0;

  private static final int CPU_DONE = 1;
  private static final int DISK_DONE = 2;
  private static final int LEAVE = 3;
  private static final int CPU_READY = 4;
  private static final int DISK_READY = 5;

  private final Simulation simulation;
  private final Messages messages;
  private final ServiceTimes services;
  private final WorkTimes times;
  private final int handler;
  private final Server[] servers;
  private final CoreTime cores;
  private final double diskShare;
  private final long[][] endNanos;
  private final RandomStream orderRandom;
  private final boolean lags;
  private final @Nullable StagedNodes staged;
  private Listener listener = new NoListener();
  private long startedNanos;
  private @Nullable ReplicaWork work;

  /** Which nodes serve; each server knows it of itself. */
  final boolean[] serving;

  Nodes(
      ClusterConfig config,
      Server[] servers,
      HostPlan hosts,
      Simulation simulation,
      Messages messages,
      Network network,
      WorkTimes times) {
    this.simulation = simulation;
    this.messages = messages;
    this.services = config.services();
    this.times = times;
    this.servers = servers;
    this.handler = simulation.register(this::handle);
    this.lags = config.lag() != null || config.masterReplica() != null;
    endNanos = new long[servers.length][0];
    this.diskShare = services.diskShare();
    cores = new CoreTime(servers.length);
    orderRandom = new RandomStreams(config.seed()).of("order of service");
    serving = new boolean[servers.length];
    Arrays.fill(serving, true);
    NodeStages stages = config.stages();
    this.staged =
        stages == null
            ? null
            : new StagedNodes(
                this, config, stages, hosts, simulation, messages, network, times, servers);
  }

  /** Names who is told; before any message is sent. */
  void tell(Listener told) {
    listener = told;
  }

  /** Has work counted from now on. */
  void count(ReplicaWork counted) {
    work = counted;
  }

  /** A message reaches its node after a time; at once if that is none. */
  void arriveAfter(long nanos, Message message) {
    if (nanos == 0) {
      arrive(message);
    } else {
      simulation.schedule(simulation.nowNanos() + nanos, handler, ARRIVE, message.number);
    }
  }

  /** A message reached its node. */
  void arrive(Message message) {
    Server server = servers[message.node];
    if (server.stillNanos > simulation.nowNanos()) {
      simulation.schedule(server.stillNanos, handler, ARRIVE, message.number);
    } else if (!server.serving || (lags && listener.neverLeft(message))) {
      listener.lost(message);
    } else if (staged != null) {
      staged.arrive(message);
    } else if (times.isFree(message.type)) {
      if (message.isRead()) {
        listener.begins(message);
      }
      afterCpu(message, server);
    } else {
      Station.Arrival arrival = server.cpu.arrive(message.number, simulation.nowNanos());
      if (arrival == Station.Arrival.STARTS) {
        start(message, server.cpu);
      } else if (arrival == Station.Arrival.DROPPED) {
        listener.lost(message);
      }
    }
  }

  /**
   * A message to another node leaves its sender after a time; false if it passes no stages there.
   */
  boolean leavesByStages(long nanos, Message message) {
    if (staged == null) {
      return false;
    }
    if (nanos == 0) {
      staged.leave(message);
    } else {
      simulation.schedule(simulation.nowNanos() + nanos, handler, LEAVE, message.number);
    }
    return true;
  }

  /** An operation has its answer: its coordinator's thread is free. */
  void ended(OperationRecord operation) {
    if (operation.holdsThread && staged != null) {
      staged.ended(operation);
    }
  }

  private void handle(int kind, int number) {
    Message message = messages.get(number);
    if (kind == ARRIVE) {
      arrive(message);
      return;
    }
    if (kind == LEAVE && staged != null) {
      staged.leave(message);
      return;
    }
    Server server = servers[message.node];
    if (message.life != server.life) {
      listener.lost(message);
      return;
    }
    switch (kind) {
      case CPU_DONE -> cpuDone(message, server);
      case CPU_READY -> afterCpu(message, server);
      case DISK_DONE -> diskDone(message, server);
      default -> listener.served(message);
    }
  }

  /** A node stands still until a time. */
  void still(int node, long untilNanos) {
    servers[node].stillNanos = Math.max(servers[node].stillNanos, untilNanos);
  }

  /** Whether what a node has done is of no effect yet, as it stands still. */
  private boolean isHeld(Message message, Server server, int ready) {
    if (server.stillNanos <= simulation.nowNanos()) {
      return false;
    }
    simulation.schedule(server.stillNanos, handler, ready, message.number);
    return true;
  }

  private void cpuDone(Message message, Server server) {
    long now = simulation.nowNanos();
    Station cpu = server.cpu;
    if (server.shares) {
      cores.change(message.node, -1, now);
    }
    if (message.type < Messages.BACKGROUND) {
      server.lastWorkNanos = now;
    }
    if (server.anyOrder && cpu.waiting() > 1) {
      cpu.bringForward(orderRandom.nextInt(cpu.waiting()));
    }
    int next = cpu.depart(now);
    if (next != Station.NONE) {
      start(messages.get(next), cpu);
    }
    if (!isHeld(message, server, CPU_READY)) {
      afterCpu(message, server);
    }
  }

  private void diskDone(Message message, Server server) {
    int next = server.disk.depart(simulation.nowNanos());
    if (next != Station.NONE) {
      startDisk(messages.get(next), server);
    }
    if (!isHeld(message, server, DISK_READY)) {
      listener.served(message);
    }
  }

  /** A node stops serving: all its work is lost, and that of others on its machine goes on. */
  void stop(int node) {
    long now = simulation.nowNanos();
    Server server = servers[node];
    serving[node] = false;
    server.serving = false;
    endNanos[node] = Arrays.copyOf(endNanos[node], server.life + 1);
    endNanos[node][server.life++] = now;
    if (staged != null) {
      staged.stop(node);
    } else {
      stopCores(node, server);
    }
    drop(server.disk, node, now);
    while (server.disk.busy() > 0) {
      server.disk.giveUp(now);
    }
  }

  private void stopCores(int node, Server server) {
    long now = simulation.nowNanos();
    Station cpu = server.cpu;
    drop(cpu, node, now);
    // What it has in service is lost when its time would have been over.
    for (int left = server.shares ? cores.busy(node) : cpu.busy(); left > 0; left--) {
      if (server.shares) {
        cores.change(node, -1, now);
      }
      int next = cpu.giveUp(now);
      if (next != Station.NONE) {
        start(messages.get(next), cpu);
      }
    }
  }

  private void drop(Station station, int node, long now) {
    station.drop(
        job -> messages.get(job).node == node, job -> listener.lost(messages.get(job)), now);
  }

  /** A node serves again, with nothing to do. */
  void resume(int node) {
    serving[node] = true;
    servers[node].serving = true;
  }

  /** A node's process has started: its work takes longer at first. */
  void chill(int node) {
    times.chill(node);
  }

  /** When a node last ended work that was for an operation; 0 if it never did. */
  long lastWorkNanos(int node) {
    return servers[node].lastWorkNanos;
  }

  /** Core time that a node has used up to the present time. */
  long busyNanos(int node, long nowNanos) {
    Server server = servers[node];
    if (staged != null) {
      return staged.busyNanos(node);
    }
    return server.shares ? cores.busyNanos(node, nowNanos) : server.cpu.busyNanos(nowNanos);
  }

  /** How many times a node has failed or been switched off. */
  int life(int node) {
    return servers[node].life;
  }

  /** When a life of a node ended: the first is 0, and each failure ends one. */
  long endNanos(int node, int ended) {
    return endNanos[node][ended];
  }

  /** Number of this component, for {@link #ARRIVE}. */
  int handler() {
    return handler;
  }

  /** Jobs that wait for the cores of a node's machine, perhaps beside those of other nodes. */
  int waiting(int node) {
    return staged != null ? staged.crowd(node) : servers[node].cpu.waiting();
  }

  /** Jobs that wait for a node's cores or threads, or have them. */
  int jobs(int node) {
    Station cpu = servers[node].cpu;
    return staged != null ? staged.jobs(node) : cpu.busy() + cpu.waiting();
  }

  /** Core time of all work that was started. */
  long startedNanos() {
    return startedNanos;
  }

  private void start(Message first, Station station) {
    Message message = first;
    long now = simulation.nowNanos();
    while (message.deadlineNanos <= now) {
      int next = station.giveUp(now);
      listener.lost(message);
      if (next == Station.NONE) {
        return;
      }
      message = messages.get(next);
    }
    if (message.isRead()) {
      listener.begins(message);
    }
    Server server = servers[message.node];
    long nanos = times.nanos(message, server);
    startedNanos += nanos;
    if (work != null) {
      work.began(message, nanos);
    }
    message.life = server.life;
    if (server.shares) {
      cores.change(message.node, 1, now);
    }
    simulation.schedule(now + nanos, handler, CPU_DONE, message.number);
  }

  /** Core time of work that was started elsewhere. */
  void started(long nanos) {
    startedNanos += nanos;
  }

  /** Who is told. */
  Listener listener() {
    return listener;
  }

  /** A message's core time is over. */
  void afterCpu(Message message, Server server) {
    if (diskShare == 0 || !message.isRead() || server.diskRandom.nextDouble() >= diskShare) {
      listener.served(message);
      return;
    }
    Station.Arrival arrival = server.disk.arrive(message.number, simulation.nowNanos());
    if (arrival == Station.Arrival.STARTS) {
      startDisk(message, server);
    } else if (arrival == Station.Arrival.DROPPED) {
      listener.lost(message);
    }
  }

  private void startDisk(Message message, Server server) {
    long nanos = services.disk().sample(server.diskRandom);
    message.life = server.life;
    simulation.schedule(simulation.nowNanos() + nanos, handler, DISK_DONE, message.number);
  }

  /** Until it is named who is told. */
  private static final class NoListener implements Listener {
    @Override
    public void begins(Message message) {
      throw new IllegalStateException("work before a listener");
    }

    @Override
    public void served(Message message) {
      throw new IllegalStateException("work before a listener");
    }

    @Override
    public void lost(Message message) {
      throw new IllegalStateException("work before a listener");
    }

    @Override
    public boolean neverLeft(Message message) {
      return false;
    }
  }
}
