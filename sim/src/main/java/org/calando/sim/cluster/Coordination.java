package org.calando.sim.cluster;

import org.calando.core.store.ConsistencyLevel;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.jspecify.annotations.Nullable;

/*
 * The life of an operation: a request on its way to the coordinator; questions to replicas, whose
 * replies use the questions' records; an answer on its way to the client. `outstanding` counts all
 * of these. The record is free when the operation has ended, for the client or by its deadline, and
 * nothing is outstanding. So replies that nobody waits for find their operation still there.
 */
/** What coordinators and replicas do about each message. Not thread safe. */
final class Coordination implements Nodes.Listener {
  private final Simulation simulation;
  private final ClusterConfig config;
  private final Operations operations;
  private final Messages messages;
  private final Versions versions;
  private final ReplicaPicker picker;
  private final Network network;
  private final Hints hints;
  private final boolean timesReplies;
  private final boolean clientWorks;
  private final Reads reads;
  private final @Nullable Distribution lag;
  private final RandomStream lagRandom;
  private final RandomStream repairRandom;
  private final SimCluster cluster;

  long read;
  long written;
  long lost;
  long hinted;

  Coordination(
      SimCluster cluster,
      Simulation simulation,
      ClusterConfig config,
      Operations operations,
      Messages messages,
      Versions versions,
      ReplicaPicker picker,
      Network network,
      Hints hints) {
    this.cluster = cluster;
    this.simulation = simulation;
    this.config = config;
    this.operations = operations;
    this.messages = messages;
    this.versions = versions;
    this.picker = picker;
    this.network = network;
    this.hints = hints;
    this.timesReplies = config.replicas() == ReplicaChoice.FASTEST;
    this.clientWorks = config.clientWork() != null;
    this.reads = new Reads(this, simulation, config, operations, messages, picker);
    this.lag = config.lag();
    RandomStreams streams = new RandomStreams(config.seed());
    this.lagRandom = streams.of("lag");
    this.repairRandom = streams.of("background repair");
  }

  /** Reads whose replies differed. */
  long mismatches() {
    return reads.mismatches;
  }

  /** Writes sent to replicas that were behind. */
  long repaired() {
    return reads.repaired;
  }

  /** A record for an operation that begins now. */
  int begin(int type, int coordinator, long key, ConsistencyLevel level, int[] replicas) {
    int operation = operations.take();
    operations.set(operation, Operations.TYPE, type);
    operations.set(operation, Operations.STATE, Operations.ASKED);
    operations.set(operation, Operations.COORDINATOR, coordinator);
    operations.setLong(operation, Operations.KEY, key);
    operations.setReplicas(operation, replicas);
    operations.setLong(operation, Operations.START, simulation.nowNanos());
    operations.set(operation, Operations.ANSWERED, 0);
    operations.set(operation, Operations.SENT, 0);
    operations.set(operation, Operations.DIGESTS, 0);
    operations.set(operation, Operations.OUTSTANDING, 0);
    operations.setLong(operation, Operations.SCANNED, 0);
    operations.flag(operation, Operations.EACH, level == ConsistencyLevel.EACH_QUORUM);
    int counting = picker.counting(level, coordinator, replicas);
    operations.set(operation, Operations.COUNTING, counting);
    int need = picker.needed(level, counting, replicas);
    operations.set(operation, Operations.NEED, need);
    boolean isRead = type == Operations.READ;
    boolean background =
        isRead
            && config.backgroundRepair() > 0
            && repairRandom.nextDouble() < config.backgroundRepair();
    operations.flag(operation, Operations.BACKGROUND, background);
    operations.flag(operation, Operations.UNREPAIRED, false);
    boolean all = !isRead || background || config.asksAll();
    // What its coordinator is going to send; once it has, the replies that it waits for.
    operations.set(operation, Operations.PENDING, all ? replicas.length : need);
    return operation;
  }

  /** Makes a read ask no more replicas than it needs, and repair none. */
  void neverRepair(int operation) {
    operations.flag(operation, Operations.BACKGROUND, false);
    operations.flag(operation, Operations.UNREPAIRED, true);
  }

  @Override
  public void served(int message) {
    switch (messages.type(message)) {
      case Messages.REQUEST -> coordinate(message);
      case Messages.READ, Messages.DIGEST -> {
        read++;
        long key = operations.getLong(messages.operation(message), Operations.KEY);
        messages.setVersion(message, versions.get(key, messages.place(message)));
        reply(message, Messages.RESPONSE);
      }
      case Messages.WRITE, Messages.REPAIR -> {
        written++;
        long key = operations.getLong(messages.operation(message), Operations.KEY);
        versions.put(key, messages.place(message), messages.version(message));
        reply(message, Messages.ACKNOWLEDGEMENT);
      }
      case Messages.HINT -> {
        hinted++;
        versions.put(messages.key(message), messages.place(message), messages.version(message));
        messages.free(message);
      }
      case Messages.RESPONSE -> reads.response(message);
      case Messages.ACKNOWLEDGEMENT -> acknowledgement(message);
      case Messages.CLIENT_REQUEST -> cluster.sendRequest(message);
      case Messages.CLIENT_ANSWER -> clientKnows(message);
      case Messages.BACKGROUND -> cluster.housekeeping().ended(message);
      default -> throw new IllegalStateException("a message of no type");
    }
  }

  @Override
  public void lost(int message) {
    int type = messages.type(message);
    if (type == Messages.BACKGROUND) {
      cluster.housekeeping().ended(message);
      return;
    }
    if (type == Messages.CLIENT_ANSWER) {
      // Its client has the answer, and too much else to do.
      clientKnows(message);
      return;
    }
    lost++;
    int operation = messages.operation(message);
    if (operation == Messages.NO_OPERATION) {
      hints.add(
          messages.node(message),
          new Hints.Hint(
              messages.from(message),
              messages.key(message),
              messages.place(message),
              messages.version(message)));
      messages.free(message);
    } else {
      messages.free(message);
      release(operation);
    }
  }

  @Override
  public boolean isTooLate(int message) {
    return messages.type(message) <= Messages.WRITE && cluster.isOver(messages.operation(message));
  }

  /** An operation's deadline has come. */
  void expire(int operation) {
    if (operations.get(operation, Operations.TYPE) == Operations.WRITE) {
      keepForUnanswered(operation);
    }
    if (operations.get(operation, Operations.STATE) != Operations.ENDED) {
      operations.set(operation, Operations.STATE, Operations.ENDED);
      operations.set(operation, Operations.OUTCOME, Operations.INDETERMINATE);
      cluster.answered(operation);
    }
    if (operations.get(operation, Operations.OUTSTANDING) == 0) {
      operations.free(operation);
    }
  }

  /** The answer has reached the client's machine. */
  void answerArrived(int operation) {
    if (clientWorks) {
      cluster.workForClient(operation);
    } else {
      cluster.answered(operation);
      release(operation);
    }
  }

  private void clientKnows(int message) {
    int operation = messages.operation(message);
    messages.free(message);
    cluster.answered(operation);
    release(operation);
  }

  /** Sends a hint's write to its node. */
  void send(Hints.Hint hint, int node) {
    int message =
        messages.take(
            Messages.HINT,
            Messages.NO_OPERATION,
            hint.coordinator(),
            node,
            hint.place(),
            0,
            hint.version());
    messages.setKey(message, hint.key());
    dispatch(message, hint.coordinator(), node, 0);
  }

  /** Ends an operation that could not even be sent, or that its coordinator answers. */
  void answer(int operation, int outcome) {
    operations.set(operation, Operations.STATE, Operations.ENDED);
    operations.set(operation, Operations.OUTCOME, outcome);
    operations.add(operation, Operations.OUTSTANDING, 1);
    if (operations.get(operation, Operations.TYPE) == Operations.READ) {
      cluster.needsNoDeadline(operation);
    }
    cluster.answerAfter(network.clientNanos(), operation);
  }

  private void coordinate(int message) {
    int operation = messages.operation(message);
    messages.free(message);
    if (operations.get(operation, Operations.STATE) != Operations.ENDED) {
      int up = picker.up(operations.replicas(operation));
      if (!canBeMet(operation, up)) {
        answer(operation, Operations.REFUSED);
      } else if (operations.get(operation, Operations.TYPE) == Operations.READ) {
        reads.ask(operation, up);
      } else {
        write(operation, up);
      }
    }
    release(operation);
  }

  private boolean canBeMet(int operation, int up) {
    int counting = up & operations.get(operation, Operations.COUNTING);
    return operations.is(operation, Operations.EACH)
        ? picker.hasEachQuorum(counting, operations.replicas(operation))
        : Integer.bitCount(counting) >= operations.get(operation, Operations.NEED);
  }

  boolean isMet(int operation) {
    int counting =
        operations.get(operation, Operations.ANSWERED)
            & operations.get(operation, Operations.COUNTING);
    return operations.is(operation, Operations.EACH)
        ? picker.hasEachQuorum(counting, operations.replicas(operation))
        : Integer.bitCount(counting) >= operations.get(operation, Operations.NEED);
  }

  private void write(int operation, int up) {
    int[] replicas = operations.replicas(operation);
    long version = operations.getLong(operation, Operations.VERSION);
    int prompt =
        lag == null
            ? -1
            : picker.prompt(operations.get(operation, Operations.NEED), replicas.length);
    operations.set(operation, Operations.SENT, up);
    for (int place = 0; place < replicas.length; place++) {
      if ((up & 1 << place) != 0) {
        boolean late = lag != null && (prompt & 1 << place) == 0;
        long delayNanos = late && lag != null ? lag.sample(lagRandom) : 0;
        question(operation, Messages.WRITE, place, version, 0, delayNanos);
      } else {
        keep(operation, place);
      }
    }
  }

  /** Sends a message about an operation to one of its replicas. */
  void question(int operation, int type, int place, long version, int round, long delayNanos) {
    int coordinator = operations.get(operation, Operations.COORDINATOR);
    int node = operations.replicas(operation)[place];
    int message = messages.take(type, operation, coordinator, node, place, round, version);
    if (timesReplies) {
      messages.setSentNanos(message, simulation.nowNanos());
    }
    operations.add(operation, Operations.OUTSTANDING, 1);
    dispatch(message, coordinator, node, delayNanos);
  }

  private void reply(int message, int type) {
    int replica = messages.node(message);
    int coordinator = messages.from(message);
    messages.turn(message, type);
    dispatch(message, replica, coordinator, 0);
  }

  private void dispatch(int message, int from, int to, long delayNanos) {
    long way = from == to ? 0 : network.nanos(messages.type(message), from, to);
    cluster.arriveAfter(way + delayNanos, message);
  }

  private void acknowledgement(int message) {
    int operation = messages.operation(message);
    int place = messages.place(message);
    int round = messages.round(message);
    messages.free(message);
    if (round == 1) {
      if (operations.add(operation, Operations.PENDING, -1) == 0
          && operations.get(operation, Operations.STATE) == Operations.REPAIRING) {
        reads.answer(operation);
      }
    } else if (operations.get(operation, Operations.TYPE) == Operations.WRITE) {
      operations.set(
          operation,
          Operations.ANSWERED,
          operations.get(operation, Operations.ANSWERED) | 1 << place);
      if (operations.get(operation, Operations.STATE) == Operations.ASKED && isMet(operation)) {
        answer(operation, Operations.OK);
      }
    }
    release(operation);
  }

  private void keepForUnanswered(int operation) {
    int silent =
        operations.get(operation, Operations.SENT)
            & ~operations.get(operation, Operations.ANSWERED);
    for (int place = 0; silent >>> place != 0; place++) {
      if ((silent & 1 << place) != 0) {
        keep(operation, place);
      }
    }
  }

  private void keep(int operation, int place) {
    if (config.hints()) {
      int node = operations.replicas(operation)[place];
      hints.add(
          node,
          new Hints.Hint(
              operations.get(operation, Operations.COORDINATOR),
              operations.getLong(operation, Operations.KEY),
              place,
              operations.getLong(operation, Operations.VERSION)));
      cluster.hintKept(node);
    }
  }

  /** Something of an operation is not outstanding any more. */
  void release(int operation) {
    if (operations.add(operation, Operations.OUTSTANDING, -1) == 0
        && operations.get(operation, Operations.STATE) == Operations.ENDED) {
      cluster.free(operation);
    }
  }
}
