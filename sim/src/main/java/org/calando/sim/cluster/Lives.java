package org.calando.sim.cluster;

import java.util.function.Consumer;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;

/*
 * The life of an operation: a request on its way to the coordinator; questions to replicas, whose
 * replies use the questions' records; an answer on its way to the client. `outstanding` counts all
 * of these. The record is free when the operation has ended, for the client or by its deadline, and
 * nothing is outstanding. So replies that nobody waits for find their operation still there.
 */
/** Begins operations and frees their records; keeps their deadlines. Not thread safe. */
final class Lives {
  private final Simulation simulation;
  private final ClusterConfig config;
  private final Operations operations;
  private final ReplicaPicker picker;
  private final Deadlines[] deadlines;
  private final RandomStream repairRandom;
  private Consumer<OperationRecord> expired =
      operation -> {
        throw new IllegalStateException("a deadline of nobody");
      };

  Lives(Simulation simulation, ClusterConfig config, Operations operations, ReplicaPicker picker) {
    this.simulation = simulation;
    this.config = config;
    this.operations = operations;
    this.picker = picker;
    repairRandom = new RandomStreams(config.seed()).of("background repair");
    Consumer<OperationRecord> passOn = operation -> expired.accept(operation);
    deadlines =
        new Deadlines[] {
          new Deadlines(simulation, config.readTimeoutNanos(), passOn),
          new Deadlines(simulation, config.writeTimeoutNanos(), passOn)
        };
  }

  /** Names who is told of deadlines; before any operation begins. */
  void tell(Consumer<OperationRecord> told) {
    expired = told;
  }

  /** A record for an operation that begins now; its request is outstanding. */
  OperationRecord begin(
      int type, int coordinator, long key, ConsistencyLevel level, int[] replicas) {
    OperationRecord operation = operations.take();
    operation.type = type;
    operation.state = OperationRecord.ASKED;
    operation.coordinator = coordinator;
    operation.key = key;
    operation.replicas = replicas;
    long now = simulation.nowNanos();
    operation.startNanos = now;
    operation.deadlineNanos = deadlines[type].ofStart(now);
    operation.answered = 0;
    operation.sent = 0;
    operation.written = 0;
    operation.digests = 0;
    operation.outstanding = 1;
    operation.scanned = 0;
    operation.each = level == ConsistencyLevel.EACH_QUORUM;
    int counting = picker.counting(level, coordinator, replicas);
    operation.counting = counting;
    int need = picker.needed(level, counting, replicas);
    operation.need = need;
    boolean isRead = type == OperationRecord.READ;
    boolean background =
        isRead
            && config.backgroundRepair() > 0
            && repairRandom.nextDouble() < config.backgroundRepair();
    operation.background = background;
    operation.unrepaired = false;
    operation.untold = true;
    boolean all = !isRead || background || config.asksAll();
    // What its coordinator is going to send; once it has, the replies that it waits for.
    operation.pending = all ? replicas.length : need;
    deadlines[type].add(operation);
    return operation;
  }

  /** Makes a read ask no more replicas than it needs, and repair none. */
  void neverRepair(OperationRecord operation) {
    operation.background = false;
    operation.unrepaired = true;
    if (operation.type == OperationRecord.READ) {
      operation.pending = operation.need;
    }
  }

  /** Whether enough of some replicas, as bits, are there for an operation's level. */
  boolean suffice(OperationRecord operation, int replicas) {
    int counting = replicas & operation.counting;
    return operation.each
        ? picker.hasEachQuorum(counting, operation.replicas)
        : Integer.bitCount(counting) >= operation.need;
  }

  /** An operation has ended. Nothing is to be done for a read at its deadline any more. */
  void end(OperationRecord operation, Outcome outcome) {
    operation.state = OperationRecord.ENDED;
    operation.outcome = outcome;
    if (operation.type == OperationRecord.READ) {
      deadlines[OperationRecord.READ].remove(operation);
    }
  }

  /** Something more of an operation is outstanding. */
  void hold(OperationRecord operation) {
    operation.outstanding++;
  }

  /** Something of an operation is not outstanding any more. */
  void release(OperationRecord operation) {
    if (--operation.outstanding == 0) {
      freeIfDone(operation);
    }
  }

  /** Frees the record of an operation of which nothing is left. */
  void freeIfDone(OperationRecord operation) {
    if (operation.outstanding == 0
        && operation.state == OperationRecord.ENDED
        && !waitsForHints(operation)) {
      deadlines[operation.type].remove(operation);
      operations.free(operation);
    }
  }

  /** Whether a write lost messages, which is noticed, and hints kept, at its deadline only. */
  private boolean waitsForHints(OperationRecord operation) {
    return config.hints()
        && operation.type == OperationRecord.WRITE
        && operation.listed
        && (operation.sent & ~operation.answered) != 0;
  }
}
