package org.calando.sim.cluster;

import java.util.function.LongConsumer;
import org.calando.core.store.Outcome;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.jspecify.annotations.Nullable;

/** What coordinators, or masters, do about writes and their acknowledgements. Not thread safe. */
final class Writes {
  private final Simulation simulation;
  private final ClusterConfig config;
  private final Messages messages;
  private final ReplicaPicker picker;
  private final Lives lives;
  private final Mail mail;
  private final ClientSide clients;
  private final Membership membership;
  private final @Nullable Distribution lag;
  private final boolean fromMaster;
  private final RandomStream lagRandom;
  private final @Nullable ReplicaWork work;
  private @Nullable LongConsumer told;

  Writes(
      Simulation simulation,
      ClusterConfig config,
      Messages messages,
      ReplicaPicker picker,
      Lives lives,
      Mail mail,
      ClientSide clients,
      Membership membership,
      @Nullable ReplicaWork work) {
    this.simulation = simulation;
    this.config = config;
    this.messages = messages;
    this.picker = picker;
    this.lives = lives;
    this.mail = mail;
    this.clients = clients;
    this.membership = membership;
    this.work = work;
    MasterReplica replication = config.masterReplica();
    this.fromMaster = replication != null;
    this.lag = replication != null ? replication.lag() : config.lag();
    this.lagRandom = new RandomStreams(config.seed()).of("lag");
  }

  /** Sends a write to those of its replicas that are believed to be up, as bits. */
  void send(OperationRecord operation, int up) {
    int[] replicas = operation.replicas;
    operation.sent = up;
    int now = up & atOnce(operation, up);
    if (lag != null) {
      // First of all: a master may have written, and sent on, before this ends.
      long startNanos = operation.startNanos;
      for (int place = 0; place < replicas.length; place++) {
        operation.setLeavesNanos(place, startNanos);
      }
    }
    for (int place = 0; place < replicas.length; place++) {
      if ((up & 1 << place) == 0) {
        if (!fromMaster) {
          keep(operation, place);
        }
      } else if ((now & 1 << place) != 0) {
        write(operation, place, 0);
      } else if (!fromMaster) {
        write(operation, place, lagNanos());
      }
    }
  }

  /** The replicas, as bits, that a write goes to first. */
  private int atOnce(OperationRecord operation, int up) {
    int[] replicas = operation.replicas;
    if (fromMaster) {
      return 1 << placeOf(operation.coordinator, replicas);
    }
    return lag == null
        ? -1
        : picker.prompt(up & operation.counting, operation.need, operation.each, replicas);
  }

  private static int placeOf(int node, int[] replicas) {
    int place = 0;
    while (replicas[place] != node) {
      place++;
    }
    return place;
  }

  /** Has times from the first replica's write to the last one's told. */
  void watchSpread(LongConsumer spread) {
    told = spread;
  }

  /** A replica has a write. */
  void written(OperationRecord operation) {
    if (told != null) {
      long now = simulation.nowNanos();
      operation.firstNanos = operation.written == 0 ? now : operation.firstNanos;
      if (++operation.written == operation.replicas.length) {
        told.accept(now - operation.firstNanos);
      }
    }
  }

  /** A replica has written: an operation's write, or a repair. */
  void acknowledged(Message message) {
    OperationRecord operation = message.operation;
    int place = message.place;
    int replica = message.from;
    messages.free(message);
    int before = operation.answered;
    operation.answered = before | 1 << place;
    if (fromMaster && replica == operation.coordinator) {
      replicate(operation, place);
    }
    if (operation.state == OperationRecord.ASKED && lives.suffice(operation, before | 1 << place)) {
      clients.answer(operation, Outcome.OK);
    }
    lives.release(operation);
  }

  /** The master has a write: its replicas get it, those that are down when they return. */
  private void replicate(OperationRecord operation, int master) {
    int up = operation.sent;
    if (work != null) {
      work.replicates(operation.replicas[master]);
    }
    for (int place = 0; place < operation.replicas.length; place++) {
      if (place != master && (up & 1 << place) != 0) {
        if (work != null) {
          work.sends(operation.replicas[place]);
        }
        write(operation, place, lagNanos());
      } else if (place != master) {
        keep(operation, place);
      }
    }
  }

  /**
   * The master has a write, and failed before it sent any: its replicas get it after its return.
   */
  private void replicateLater(OperationRecord operation, int master) {
    operation.sent = 1 << master;
    operation.answered = 1 << master;
    replicate(operation, master);
  }

  private void write(OperationRecord operation, int place, long delayNanos) {
    if (delayNanos > 0) {
      operation.setLeavesNanos(place, simulation.nowNanos() + delayNanos);
    }
    long version = operation.version;
    mail.question(operation, Messages.WRITE, place, version, 0, delayNanos);
  }

  private long lagNanos() {
    return lag == null ? 0 : lag.sample(lagRandom);
  }

  /** Whether a write's sender failed while the write waited there to be sent. */
  boolean neverLeft(Message message) {
    int from = message.from;
    int life = message.life;
    return life != membership.life(from)
        && membership.endNanos(from, life) < message.operation.leavesNanos(message.place);
  }

  /** Whether a write was, or is, sent to a replica after its operation's deadline. */
  private boolean leavesAfterDeadline(OperationRecord operation, int place) {
    return lag != null
        && operation.leavesNanos(place) - operation.startNanos >= config.writeTimeoutNanos();
  }

  /** A write's acknowledgement was lost. */
  void acknowledgementLost(Message message) {
    OperationRecord operation = message.operation;
    if (fromMaster && message.from == operation.coordinator) {
      replicateLater(operation, message.place);
    }
  }

  /** A write's message was lost. Mostly that shows at the operation's deadline. */
  void lost(Message message) {
    OperationRecord operation = message.operation;
    if (leavesAfterDeadline(operation, message.place) && remembers(operation)) {
      keep(operation, message.place);
    }
  }

  /**
   * Whether a write's coordinator has served since it sent it; a master's data is its memory, of
   * what it has written itself.
   */
  private boolean remembers(OperationRecord operation) {
    int coordinator = operation.coordinator;
    if (!fromMaster) {
      return operation.life == membership.life(coordinator);
    }
    int master = placeOf(coordinator, operation.replicas);
    return (operation.answered & 1 << master) != 0;
  }

  /** Keeps hints for the replicas that have not acknowledged a write at its deadline. */
  void keepForUnanswered(OperationRecord operation) {
    if (!remembers(operation)) {
      return;
    }
    int silent = operation.sent & ~operation.answered;
    for (int place = 0; silent >>> place != 0; place++) {
      if ((silent & 1 << place) != 0 && !leavesAfterDeadline(operation, place)) {
        keep(operation, place);
      }
    }
  }

  private void keep(OperationRecord operation, int place) {
    if (config.hints()) {
      membership.hint(
          operation.replicas[place],
          new Hints.Hint(operation.coordinator, operation.key, place, operation.version));
    }
  }
}
