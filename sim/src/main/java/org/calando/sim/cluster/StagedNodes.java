package org.calando.sim.cluster;

import org.calando.sim.kernel.Simulation;
import org.calando.sim.stage.NodeStages;
import org.calando.sim.stage.StagedCores;

/*
 * A message between nodes:   LEAVES: loop of the sender -> network -> COMES: loop of the receiver -> THERE: its stage
 * One within a node:                                                                               THERE: its stage
 */
/** What threads of nodes' stages do about messages. Not thread safe. */
final class StagedNodes implements StagedCores.Jobs {
  private static final byte THERE = 0;
  private static final byte LEAVES = 1;
  private static final byte COMES = 2;

  private final Nodes nodes;
  private final Simulation simulation;
  private final Messages messages;
  private final Network network;
  private final WorkTimes times;
  private final Server[] servers;
  private final NodeStages stages;
  private final StagedCores cores;
  private final boolean lags;

  /** The event that what a thread had done takes effect. */
  private final int ready;

  StagedNodes(
      Nodes nodes,
      ClusterConfig config,
      NodeStages stages,
      HostPlan hosts,
      Simulation simulation,
      Messages messages,
      Network network,
      WorkTimes times,
      Server[] servers) {
    this.nodes = nodes;
    this.stages = stages;
    this.simulation = simulation;
    this.messages = messages;
    this.network = network;
    this.times = times;
    this.servers = servers;
    this.lags = config.lag() != null;
    this.ready = simulation.register((kind, job) -> ready(job));
    this.cores = hosts.staged(simulation, stages, config.mostWaiting(), this);
  }

  /** A message to another node leaves its sender. */
  void leave(Message message) {
    if (!servers[message.from].serving || (lags && nodes.listener().neverLeft(message))) {
      nodes.listener().lost(message);
      return;
    }
    message.hop = LEAVES;
    cores.submit(message.number, message.from, loop(message.from, message.node));
  }

  private int loop(int node, int other) {
    return cores.loop(node, other, servers.length - 1);
  }

  /** A message has reached its node. */
  void arrive(Message message) {
    if (message.hop == LEAVES) {
      message.hop = COMES;
      cores.submit(message.number, message.node, loop(message.node, message.from));
    } else if (times.isFree(message.type)) {
      if (message.isRead()) {
        nodes.listener().begins(message);
      }
      nodes.afterCpu(message, servers[message.node]);
    } else {
      cores.submit(message.number, message.node, pool(message.type));
    }
  }

  private static int pool(int type) {
    return switch (type) {
      case Messages.REQUEST -> StagedCores.NATIVE;
      case Messages.READ, Messages.DIGEST -> StagedCores.READ;
      case Messages.WRITE, Messages.REPAIR, Messages.HINT -> StagedCores.MUTATION;
      case Messages.RESPONSE, Messages.ACKNOWLEDGEMENT -> StagedCores.RESPONSE;
      default -> StagedCores.UNBOUNDED;
    };
  }

  @Override
  public long begins(int job) {
    Message message = messages.get(job);
    if (message.deadlineNanos <= simulation.nowNanos()) {
      return StagedCores.GIVEN_UP;
    }
    Server server = at(message);
    long nanos;
    if (message.hop == THERE) {
      if (message.isRead()) {
        nodes.listener().begins(message);
      }
      nanos = times.nanos(message, server);
    } else {
      nanos = times.scaled(stages.message().sample(server.random), server);
    }
    nodes.started(nanos);
    return nanos;
  }

  private Server at(Message message) {
    return servers[message.hop == LEAVES ? message.from : message.node];
  }

  @Override
  public void done(int job) {
    Message message = messages.get(job);
    Server server = at(message);
    if (server.stillNanos > simulation.nowNanos()) {
      message.life = server.life;
      simulation.schedule(server.stillNanos, ready, 0, job);
    } else {
      done(message);
    }
  }

  private void done(Message message) {
    if (message.type < Messages.BACKGROUND) {
      at(message).lastWorkNanos = simulation.nowNanos();
    }
    if (message.hop == LEAVES) {
      nodes.arriveAfter(network.nanos(message.type, message.from, message.node), message);
    } else if (message.hop == COMES) {
      message.hop = THERE;
      arrive(message);
    } else {
      if (message.type == Messages.REQUEST) {
        keepThread(message.operation);
      }
      nodes.afterCpu(message, servers[message.node]);
    }
  }

  /** A node that stood still goes on with what a thread had done. */
  private void ready(int job) {
    Message message = messages.get(job);
    if (message.life == at(message).life) {
      done(job);
    } else {
      nodes.listener().lost(message);
    }
  }

  /** Native transport waits for an operation that it has taken, if that waits for anything. */
  private void keepThread(OperationRecord operation) {
    operation.holdsThread = true;
    operation.life = servers[operation.coordinator].life;
    if (operation.state == OperationRecord.ENDED) {
      ended(operation);
    }
  }

  /** An operation whose thread was kept has ended; if its node has stopped since, so has that. */
  void ended(OperationRecord operation) {
    operation.holdsThread = false;
    if (operation.life == servers[operation.coordinator].life) {
      cores.release(operation.coordinator);
    }
  }

  @Override
  public void lost(int job) {
    nodes.listener().lost(messages.get(job));
  }

  /** A node has stopped: what its threads had is lost. */
  void stop(int node) {
    cores.stop(node);
  }

  /** Core time that a node has used up to the present time. */
  long busyNanos(int node) {
    return cores.busyNanos(node);
  }

  /** Threads of a node's machine that wait for a core. */
  int crowd(int node) {
    return cores.crowd(node);
  }

  /** Jobs that wait for a thread of a node, or have one. */
  int jobs(int node) {
    return cores.jobs(node);
  }
}
