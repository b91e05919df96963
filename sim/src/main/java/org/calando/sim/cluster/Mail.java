package org.calando.sim.cluster;

import org.calando.sim.kernel.Simulation;

/** Sends messages between nodes. Not thread safe. */
final class Mail {
  private final Simulation simulation;
  private final Messages messages;
  private final Network network;
  private final Nodes nodes;
  private final boolean timesReplies;

  Mail(
      Simulation simulation,
      ClusterConfig config,
      Messages messages,
      Network network,
      Nodes nodes) {
    this.simulation = simulation;
    this.messages = messages;
    this.network = network;
    this.nodes = nodes;
    this.timesReplies = config.replicas() == ReplicaChoice.FASTEST;
  }

  /**
   * Sends a message about an operation to one of its replicas.
   *
   * @param delayNanos until it leaves
   */
  void question(
      OperationRecord operation, int type, int place, long version, int round, long delayNanos) {
    int coordinator = operation.coordinator;
    int node = operation.replicas[place];
    Message message = messages.take(type, operation, coordinator, node, place, round, version);
    message.life = nodes.life(coordinator);
    message.key = operation.key;
    if (type <= Messages.WRITE) {
      // The timeout of what is sent later begins when it leaves.
      long late = delayNanos == 0 ? 0 : simulation.nowNanos() + delayNanos - operation.startNanos;
      message.deadlineNanos = operation.deadlineNanos + late;
    }
    if (timesReplies) {
      message.sentNanos = simulation.nowNanos();
    }
    operation.outstanding++;
    dispatch(message, coordinator, node, delayNanos);
  }

  /** Sends a message's record back to where it came from. */
  void reply(Message message, int type) {
    int replica = message.node;
    int coordinator = message.from;
    message.turn(type);
    dispatch(message, replica, coordinator, 0);
  }

  /** Sends a hint's write to its node. */
  void hint(Hints.Hint hint, int node) {
    Message message =
        messages.take(
            Messages.HINT,
            messages.noOperation(),
            hint.coordinator(),
            node,
            hint.place(),
            0,
            hint.version());
    message.key = hint.key();
    dispatch(message, hint.coordinator(), node, 0);
  }

  private void dispatch(Message message, int from, int to, long delayNanos) {
    if (from != to && nodes.leavesByStages(delayNanos, message)) {
      return;
    }
    long way = from == to ? 0 : network.nanos(message.type, from, to);
    nodes.arriveAfter(way + delayNanos, message);
  }
}
