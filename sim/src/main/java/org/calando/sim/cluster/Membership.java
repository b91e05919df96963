package org.calando.sim.cluster;

import java.util.Arrays;
import org.calando.sim.away.ShiftCosts;
import org.calando.sim.kernel.Simulation;

/**
 * Which nodes are up, which of them the others believe to be, and the hints that wait for those
 * that are not. Not thread safe.
 */
final class Membership {
  private static final int NOTHING = -1;
  private static final int NOTICED = 0;
  private static final int HINT = 1;
  private static final int BOOTED = 2;
  private static final int STARTED = 3;
  private static final int PROVED = 4;
  private static final long RETRY_HINTS_NANOS = 1_000_000_000L;

  /** Hints under way to a node that clients wait for: senders wait for acknowledgements. */
  private static final int MOST_ON_THEIR_WAY = 16;

  private final Simulation simulation;
  private final ClusterConfig config;
  private final Nodes nodes;
  private final ClusterEnergy energy;
  private final Hints hints;
  private final Mail mail;
  private final Housekeeping housekeeping;
  private final ShiftCosts costs;
  private final boolean[] seenUp;
  private final boolean[] offByOrder;
  private final boolean[] hinting;
  private final int[] onTheirWay;
  private final boolean[] shifts;
  private final int[] dueKind;
  private final long[] dueNanos;
  private final Coordinators coordinators;
  private final int handler;
  private Runnable changed = () -> {};

  /**
   * All nodes are up.
   *
   * @param seenUp which are believed to be, kept here for all
   */
  Membership(
      Simulation simulation,
      ClusterConfig config,
      Nodes nodes,
      ClusterEnergy energy,
      Hints hints,
      Mail mail,
      Housekeeping housekeeping,
      Coordinators coordinators,
      boolean[] seenUp) {
    this.simulation = simulation;
    this.config = config;
    this.nodes = nodes;
    this.energy = energy;
    this.hints = hints;
    this.mail = mail;
    this.housekeeping = housekeeping;
    this.costs = config.absences().costs();
    this.seenUp = seenUp;
    this.coordinators = coordinators;
    this.offByOrder = new boolean[seenUp.length];
    this.hinting = new boolean[seenUp.length];
    this.onTheirWay = new int[seenUp.length];
    this.shifts = new boolean[seenUp.length];
    this.dueKind = new int[seenUp.length];
    Arrays.fill(dueKind, NOTHING);
    this.dueNanos = new long[seenUp.length];
    this.handler = simulation.register(this::handle);
  }

  /** Names who is told of every change of who serves, and of who is believed to. */
  void tell(Runnable told) {
    changed = told;
  }

  void fail(int node) {
    if (nodes.serving[node]) {
      halt(node);
      schedule(config.detectionNanos(), NOTICED, node);
      changed.run();
    }
  }

  void stop(int node) {
    if (nodes.serving[node]) {
      halt(node);
    }
    seenUp[node] = false;
    coordinators.setBehind(node, true);
    changed.run();
  }

  /** A node's work ends; if it was about to go or to come back, that too. */
  private void halt(int node) {
    nodes.stop(node);
    housekeeping.stopped(node);
    coordinators.hold(node, false);
    dueKind[node] = NOTHING;
    shifts[node] = false;
  }

  void announceOff(int node) {
    offByOrder[node] = true;
    shifts[node] = true;
  }

  void drain(int node) {
    announceOff(node);
    dueKind[node] = NOTHING;
    seenUp[node] = false;
    coordinators.setBehind(node, true);
    housekeeping.spread(node, costs.stopWorkNanos(), costs.stopNanos());
    changed.run();
  }

  /** Whether a node is off by order, or about to be. */
  boolean isOffByOrder(int node) {
    return offByOrder[node];
  }

  /** Whether the other nodes, and clients, take a node for up. */
  boolean isSeenUp(int node) {
    return seenUp[node];
  }

  /** How many times a node has failed or been switched off. */
  int life(int node) {
    return nodes.life(node);
  }

  /** When a life of a node, by its number, ended. */
  long endNanos(int node, int life) {
    return nodes.endNanos(node, life);
  }

  void recover(int node) {
    if (!nodes.serving[node] && energy.isOn(node)) {
      nodes.resume(node);
      schedule(config.detectionNanos(), NOTICED, node);
      changed.run();
    }
  }

  void switchOff(int node) {
    beginOff(node);
    shifts[node] = true;
  }

  void beginOff(int node) {
    offByOrder[node] = true;
    stop(node);
    energy.off(node, simulation.nowNanos());
    changed.run();
  }

  void switchOn(int node) {
    offByOrder[node] = false;
    long readyNanos = energy.boot(node, simulation.nowNanos());
    if (readyNanos >= 0) {
      schedule(readyNanos - simulation.nowNanos(), BOOTED, node);
    }
  }

  /** Whether clients may use a node: it serves, and has got what it missed while it was off. */
  boolean isOpen(int node) {
    return nodes.serving[node] && !coordinators.isHeld(node);
  }

  /** A coordinator keeps a write for a node that has not got it: work, if it is off by a shift. */
  void hint(int node, Hints.Hint hint) {
    if (hints.add(node, hint) && shifts[node]) {
      housekeeping.work(hint.coordinator(), costs.hintWriteNanos());
    }
    deliver(node);
  }

  /** A hint's write has come to its node. */
  void hintCame(int node) {
    onTheirWay[node]--;
    catchUp(node);
    deliver(node);
  }

  /** A hint's write did not reach its node: it is kept again. */
  void hintLost(int node, Hints.Hint hint) {
    onTheirWay[node]--;
    hints.add(node, hint);
    deliver(node);
  }

  /**
   * A node that is back lacks nothing once all that was kept for it has come, and is proved once
   * nothing can come: what nodes keep that are off themselves may take long.
   */
  private void catchUp(int node) {
    if (!seenUp[node] || onTheirWay[node] > 0) {
      return;
    }
    boolean hasAll = hints.isEmpty(node);
    if (hasAll && coordinators.setBehind(node, false)) {
      changed.run();
    }
    if (!coordinators.isHeld(node)) {
      shifts[node] &= offByOrder[node] || !hasAll;
    } else if (dueKind[node] == NOTHING && !hints.canSend(node, nodes.serving)) {
      due(costs.proveNanos(), PROVED, node);
    }
  }

  /** Writes that a node was not sent when they were made, and has not got yet. */
  long owed(int node) {
    return (long) hints.of(node) + onTheirWay[node];
  }

  /** Whether a hint waits for a node that serves, at one that serves. */
  boolean hintWaits() {
    for (int node = 0; node < seenUp.length; node++) {
      if (nodes.serving[node] && hints.canSend(node, nodes.serving)) {
        return true;
      }
    }
    return false;
  }

  private void handle(int kind, int node) {
    if (kind == NOTICED) {
      if (!coordinators.isHeld(node)) {
        noticed(node);
      }
    } else if (kind == HINT) {
      sendHint(node);
    } else if (kind != BOOTED) {
      // A return that was broken off leaves its events behind.
      if (kind == dueKind[node] && simulation.nowNanos() == dueNanos[node]) {
        dueKind[node] = NOTHING;
        comes(kind, node);
      }
    } else if (energy.booted(node, simulation.nowNanos())) {
      booted(node);
    }
  }

  private void booted(int node) {
    nodes.resume(node);
    if (!costs.delaysReturn()) {
      noticed(node);
      return;
    }
    coordinators.hold(node, true);
    nodes.chill(node);
    housekeeping.spread(node, costs.startWorkNanos(), costs.startNanos());
    due(costs.startNanos(), STARTED, node);
    changed.run();
  }

  private void comes(int kind, int node) {
    if (kind == STARTED) {
      noticed(node);
    } else if (onTheirWay[node] == 0 && !hints.canSend(node, nodes.serving)) {
      coordinators.hold(node, false);
      catchUp(node);
      changed.run();
    }
  }

  private void due(long inNanos, int kind, int node) {
    dueKind[node] = kind;
    dueNanos[node] = simulation.nowNanos() + inNanos;
    schedule(inNanos, kind, node);
  }

  private void noticed(int node) {
    seenUp[node] = nodes.serving[node];
    if (!seenUp[node]) {
      coordinators.setBehind(node, true);
    }
    catchUp(node);
    deliver(node);
    changed.run();
  }

  private void deliver(int node) {
    if (seenUp[node] && !hinting[node] && !hints.isEmpty(node)) {
      hinting[node] = true;
      schedule(config.absences().hintGapNanos(), HINT, node);
    }
  }

  private void sendHint(int node) {
    hinting[node] = false;
    if (!nodes.serving[node] || dueKind[node] == STARTED) {
      return;
    }
    if (coordinators.isHeld(node) && onTheirWay[node] >= MOST_ON_THEIR_WAY) {
      // Goes on when one of them has come, or is lost.
      return;
    }
    Hints.Hint hint = hints.next(node, nodes.serving);
    if (hint != null) {
      onTheirWay[node]++;
      if (shifts[node]) {
        housekeeping.work(hint.coordinator(), costs.hintSendNanos());
      }
      mail.hint(hint, node);
    }
    catchUp(node);
    if (!hints.isEmpty(node)) {
      hinting[node] = true;
      schedule(hint == null ? RETRY_HINTS_NANOS : config.absences().hintGapNanos(), HINT, node);
    }
  }

  private void schedule(long inNanos, int kind, int node) {
    simulation.schedule(simulation.nowNanos() + inNanos, handler, kind, node);
  }
}
