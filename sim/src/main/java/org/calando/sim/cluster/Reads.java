package org.calando.sim.cluster;

import org.calando.sim.kernel.Simulation;

/** What coordinators do about the replies to reads. Not thread safe. */
final class Reads {
  private final Coordination coordination;
  private final Simulation simulation;
  private final ClusterConfig config;
  private final Operations operations;
  private final Messages messages;
  private final ReplicaPicker picker;
  private final boolean digests;
  private final boolean repairs;
  private final boolean timesReplies;

  long mismatches;
  long repaired;

  Reads(
      Coordination coordination,
      Simulation simulation,
      ClusterConfig config,
      Operations operations,
      Messages messages,
      ReplicaPicker picker) {
    this.coordination = coordination;
    this.simulation = simulation;
    this.config = config;
    this.operations = operations;
    this.messages = messages;
    this.picker = picker;
    this.digests = config.digests();
    this.repairs = config.readRepair() == ReadRepair.BLOCKING;
    this.timesReplies = config.replicas() == ReplicaChoice.FASTEST;
  }

  void ask(int operation, int up) {
    int[] replicas = operations.replicas(operation);
    int coordinator = operations.get(operation, Operations.COORDINATOR);
    int need = operations.get(operation, Operations.NEED);
    int counting = up & operations.get(operation, Operations.COUNTING);
    operations.setLong(operation, Operations.VERSION, Versions.ABSENT);
    int[] picked =
        picker.pick(
            counting, need, operations.is(operation, Operations.EACH), coordinator, replicas);
    int chosen = 0;
    int digesting = 0;
    for (int i = 0; i < need; i++) {
      chosen |= 1 << picked[i];
      digesting |= digests && i > 0 ? 1 << picked[i] : 0;
    }
    if (config.asksAll() || operations.is(operation, Operations.BACKGROUND)) {
      digesting |= digests ? up & ~chosen : 0;
      chosen = up;
    }
    operations.set(operation, Operations.SENT, chosen);
    operations.set(operation, Operations.DIGESTS, digesting);
    for (int place = 0; place < replicas.length; place++) {
      if ((chosen & 1 << place) != 0) {
        boolean digest = (digesting & 1 << place) != 0;
        coordination.question(operation, digest ? Messages.DIGEST : Messages.READ, place, 0, 0, 0);
      }
    }
  }

  void response(int message) {
    int operation = messages.operation(message);
    int place = messages.place(message);
    int round = messages.round(message);
    long found = messages.version(message);
    if (timesReplies) {
      long tookNanos = simulation.nowNanos() - messages.sentNanos(message);
      picker.replied(messages.node(message), messages.from(message), tookNanos);
    }
    messages.free(message);
    operations.setReplied(operation, place, found);
    if (round == 1) {
      operations.setLong(
          operation,
          Operations.VERSION,
          Math.max(operations.getLong(operation, Operations.VERSION), found));
      if (operations.add(operation, Operations.PENDING, -1) == 0
          && operations.get(operation, Operations.STATE) == Operations.REREADING) {
        repairOrAnswer(operation);
      }
    } else {
      operations.set(
          operation,
          Operations.ANSWERED,
          operations.get(operation, Operations.ANSWERED) | 1 << place);
      if (operations.get(operation, Operations.STATE) == Operations.ASKED) {
        operations.setLong(
            operation,
            Operations.VERSION,
            Math.max(operations.getLong(operation, Operations.VERSION), found));
        if (coordination.isMet(operation)) {
          conclude(operation);
        }
      }
      if (operations.is(operation, Operations.BACKGROUND)
          && operations.get(operation, Operations.ANSWERED)
              == operations.get(operation, Operations.SENT)) {
        repairInBackground(operation);
      }
    }
    coordination.release(operation);
  }

  /** Enough replicas have replied to a read. */
  private void conclude(int operation) {
    int differing = behind(operation, operations.getLong(operation, Operations.VERSION));
    if (differing == 0) {
      answer(operation);
      return;
    }
    mismatches++;
    // Digests show that versions differ, not what the newest one holds.
    int again =
        operations.get(operation, Operations.ANSWERED)
            & operations.get(operation, Operations.DIGESTS);
    if (again == 0) {
      repairOrAnswer(operation);
      return;
    }
    operations.set(operation, Operations.STATE, Operations.REREADING);
    operations.set(operation, Operations.PENDING, Integer.bitCount(again));
    for (int place = 0; again >>> place != 0; place++) {
      if ((again & 1 << place) != 0) {
        coordination.question(operation, Messages.READ, place, 0, 1, 0);
      }
    }
  }

  private void repairOrAnswer(int operation) {
    boolean mayRepair = repairs && !operations.is(operation, Operations.UNREPAIRED);
    int behind =
        mayRepair ? behind(operation, operations.getLong(operation, Operations.VERSION)) : 0;
    if (behind == 0) {
      answer(operation);
      return;
    }
    operations.set(operation, Operations.STATE, Operations.REPAIRING);
    operations.set(operation, Operations.PENDING, Integer.bitCount(behind));
    repair(operation, behind, operations.getLong(operation, Operations.VERSION), 1);
  }

  private void repairInBackground(int operation) {
    long newest = Versions.ABSENT;
    int answered = operations.get(operation, Operations.ANSWERED);
    for (int place = 0; answered >>> place != 0; place++) {
      if ((answered & 1 << place) != 0) {
        newest = Math.max(newest, operations.replied(operation, place));
      }
    }
    repair(operation, behind(operation, newest), newest, 2);
  }

  private void repair(int operation, int behind, long newest, int round) {
    for (int place = 0; behind >>> place != 0; place++) {
      if ((behind & 1 << place) != 0) {
        repaired++;
        coordination.question(operation, Messages.REPAIR, place, newest, round, 0);
      }
    }
  }

  /** The replicas that replied with an older version, as bits. */
  private int behind(int operation, long newest) {
    int answered = operations.get(operation, Operations.ANSWERED);
    int behind = 0;
    for (int place = 0; answered >>> place != 0; place++) {
      if ((answered & 1 << place) != 0 && operations.replied(operation, place) < newest) {
        behind |= 1 << place;
      }
    }
    return behind;
  }

  void answer(int operation) {
    boolean found = operations.getLong(operation, Operations.VERSION) != Versions.ABSENT;
    coordination.answer(operation, found ? Operations.OK : Operations.NOT_FOUND);
  }
}
