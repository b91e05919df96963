package org.calando.sim.cluster;

import org.calando.core.store.Outcome;
import org.calando.sim.kernel.Simulation;

/** What coordinators do about the replies to reads. Not thread safe. */
final class Reads {
  private final Lives lives;
  private final Mail mail;
  private final ClientSide clients;
  private final Simulation simulation;
  private final ClusterConfig config;
  private final Messages messages;
  private final ReplicaPicker picker;
  private final boolean digests;
  private final boolean repairsFirst;
  private final boolean timesReplies;

  long mismatches;
  long repairs;

  Reads(
      Simulation simulation,
      ClusterConfig config,
      Messages messages,
      ReplicaPicker picker,
      Lives lives,
      Mail mail,
      ClientSide clients) {
    this.lives = lives;
    this.mail = mail;
    this.clients = clients;
    this.simulation = simulation;
    this.config = config;
    this.messages = messages;
    this.picker = picker;
    this.digests = config.digests();
    this.repairsFirst = config.readRepair() == ReadRepair.BLOCKING;
    this.timesReplies = config.replicas() == ReplicaChoice.FASTEST;
  }

  void ask(OperationRecord operation, int up) {
    int[] replicas = operation.replicas;
    int coordinator = operation.coordinator;
    int need = operation.need;
    int counting = up & operation.counting;
    operation.version = Versions.ABSENT;
    int[] picked = picker.pick(counting, need, operation.each, coordinator, replicas);
    int chosen = 0;
    int digesting = 0;
    for (int i = 0; i < need; i++) {
      chosen |= 1 << picked[i];
      digesting |= digests && i > 0 ? 1 << picked[i] : 0;
    }
    boolean repaired = !operation.unrepaired;
    if ((repaired && config.asksAll()) || operation.background) {
      digesting |= digests ? up & ~chosen : 0;
      chosen = up;
    }
    operation.sent = chosen;
    operation.digests = digesting;
    for (int place = 0; place < replicas.length; place++) {
      if ((chosen & 1 << place) != 0) {
        boolean digest = (digesting & 1 << place) != 0;
        mail.question(operation, digest ? Messages.DIGEST : Messages.READ, place, 0, 0, 0);
      }
    }
  }

  void response(Message message) {
    OperationRecord operation = message.operation;
    int place = message.place;
    int round = message.round;
    long found = message.version;
    if (timesReplies) {
      long tookNanos = simulation.nowNanos() - message.sentNanos;
      picker.replied(message.node, message.from, tookNanos);
    }
    messages.free(message);
    operation.setReplied(place, found);
    if (round == 1) {
      operation.version = Math.max(operation.version, found);
      if (--operation.pending == 0 && operation.state == OperationRecord.REREADING) {
        repairOrAnswer(operation);
      }
    } else {
      operation.answered = operation.answered | 1 << place;
      if (operation.state == OperationRecord.ASKED) {
        answered(operation, place, found);
      }
      if (operation.background && operation.answered == operation.sent) {
        repairInBackground(operation);
      }
    }
    lives.release(operation);
  }

  /**
   * A reply to a read that is not answered yet. Replies of replicas that do not count for its level
   * say nothing, and digests without the data are no answer.
   */
  private void answered(OperationRecord operation, int place, long found) {
    if ((operation.counting & 1 << place) != 0) {
      operation.version = Math.max(operation.version, found);
    }
    int answered = operation.answered;
    if (lives.suffice(operation, answered) && (answered & ~operation.digests) != 0) {
      conclude(operation);
    }
  }

  /** Enough replicas have replied to a read. */
  private void conclude(OperationRecord operation) {
    int differing = behindItsAnswer(operation);
    if (differing == 0) {
      answer(operation);
      return;
    }
    mismatches++;
    int again = operation.answered & operation.counting;
    if ((again & operation.digests) == 0) {
      repairOrAnswer(operation);
      return;
    }
    // Digests show that versions differ, not what the newest one holds: all send their data.
    operation.state = OperationRecord.REREADING;
    operation.pending = Integer.bitCount(again);
    for (int place = 0; again >>> place != 0; place++) {
      if ((again & 1 << place) != 0) {
        mail.question(operation, Messages.READ, place, 0, 1, 0);
      }
    }
  }

  private void repairOrAnswer(OperationRecord operation) {
    boolean mayRepair = repairsFirst && !operation.unrepaired;
    int behind = mayRepair ? behindItsAnswer(operation) : 0;
    if (behind == 0) {
      answer(operation);
      return;
    }
    operation.state = OperationRecord.REPAIRING;
    operation.pending = Integer.bitCount(behind);
    repair(operation, behind, operation.version, 1);
  }

  /** A replica has taken a repair that an answer waits for. */
  void repaired(Message message) {
    OperationRecord operation = message.operation;
    messages.free(message);
    if (--operation.pending == 0 && operation.state == OperationRecord.REPAIRING) {
      answer(operation);
    }
    lives.release(operation);
  }

  private void repairInBackground(OperationRecord operation) {
    long newest = Versions.ABSENT;
    int answered = operation.answered;
    for (int place = 0; answered >>> place != 0; place++) {
      if ((answered & 1 << place) != 0) {
        newest = Math.max(newest, operation.replied(place));
      }
    }
    int behind = behind(operation, newest);
    // Those of its answer are repaired before it, after their data has come.
    boolean willRepair =
        repairsFirst && operation.state == OperationRecord.REREADING && newest == operation.version;
    repair(operation, willRepair ? behind & ~behindItsAnswer(operation) : behind, newest, 2);
  }

  private void repair(OperationRecord operation, int behind, long newest, int round) {
    for (int place = 0; behind >>> place != 0; place++) {
      if ((behind & 1 << place) != 0) {
        repairs++;
        // It is not to be repaired once more when the last reply comes.
        operation.setReplied(place, newest);
        mail.question(operation, Messages.REPAIR, place, newest, round, 0);
      }
    }
  }

  /** The replicas of a read's answer that replied with an older version than it, as bits. */
  private int behindItsAnswer(OperationRecord operation) {
    return operation.counting & behind(operation, operation.version);
  }

  /** The replicas that replied with an older version, as bits. */
  private int behind(OperationRecord operation, long newest) {
    int answered = operation.answered;
    int behind = 0;
    for (int place = 0; answered >>> place != 0; place++) {
      if ((answered & 1 << place) != 0 && operation.replied(place) < newest) {
        behind |= 1 << place;
      }
    }
    return behind;
  }

  private void answer(OperationRecord operation) {
    boolean found = operation.version != Versions.ABSENT;
    clients.answer(operation, found ? Outcome.OK : Outcome.NOT_FOUND);
  }
}
