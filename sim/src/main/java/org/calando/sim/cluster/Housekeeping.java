package org.calando.sim.cluster;

import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;

/**
 * Begins the nodes' own work: bursts in Poisson arrivals while they serve, and what it costs them
 * to go and to come back; and has them stand still. Not thread safe.
 */
final class Housekeeping {
  private static final int BURST = 0;
  private static final int SLICE = 1;
  private static final int LOOK = 2;

  /** A stall begins so much too late at most. */
  private static final long LOOK_NANOS = 10_000_000L;

  /** Of work that takes long, so that others get their turn. */
  private static final long SLICE_NANOS = 10_000_000L;

  private final Simulation simulation;
  private final Messages messages;
  private final Nodes nodes;
  private final Background background;
  private final Distribution gap;
  private final RandomStream[] random;
  private final long[] spreadNanos;
  private final long[] sliceGapNanos;
  private final boolean[] isSliceDue;
  private final int handler;

  private long begun;
  private long ended;

  // Of stalls, by node; none without them.
  private final Distribution stallGap;
  private final RandomStream[] stallRandom;
  private final long[] stallAtBusyNanos;
  private final int[] cores;

  Housekeeping(ClusterConfig config, Simulation simulation, Messages messages, Nodes nodes) {
    this.simulation = simulation;
    this.messages = messages;
    this.nodes = nodes;
    this.handler = simulation.register(this::handle);
    int size = config.topology().size();
    spreadNanos = new long[size];
    sliceGapNanos = new long[size];
    isSliceDue = new boolean[size];
    background = config.background();
    boolean none = background.cores() == 0;
    gap =
        none
            ? Distribution.NONE
            : Distribution.exponential(background.burst().meanNanos() / background.cores());
    random = new RandomStream[none ? 0 : size];
    RandomStreams streams = new RandomStreams(config.seed());
    for (int node = 0; node < random.length; node++) {
      random[node] = streams.of("background", node);
      schedule(node);
    }
    int standing = background.stalls().isNone() ? 0 : size;
    stallGap =
        standing == 0
            ? Distribution.NONE
            : Distribution.exponential(1e9 / background.stalls().perBusySecond());
    stallRandom = new RandomStream[standing];
    stallAtBusyNanos = new long[standing];
    cores = new int[standing];
    HostPlan hosts = HostPlan.of(config);
    for (int node = 0; node < standing; node++) {
      stallRandom[node] = streams.of("stalls", node);
      stallAtBusyNanos[node] = stallGap.sample(stallRandom[node]);
      cores[node] = hosts.coresOf(hosts.hostOf(node));
      look(node);
    }
  }

  /** Has a node stand still once it has used the core time until its next stall. */
  private void look(int node) {
    long now = simulation.nowNanos();
    long left = stallAtBusyNanos[node] - nodes.busyNanos(node, now);
    if (left <= 0) {
      if (nodes.serving[node]) {
        nodes.still(node, now + background.stalls().length().sample(stallRandom[node]));
      }
      long gap = stallGap.sample(stallRandom[node]);
      stallAtBusyNanos[node] += gap;
      left += gap;
    }
    long soonest = now + Math.max(LOOK_NANOS, left / cores[node]);
    simulation.schedule(soonest, handler, LOOK, node);
  }

  /** A burst's work is done or lost. */
  void ended(Message message) {
    ended++;
    messages.free(message);
  }

  /** Bursts so far. */
  long begun() {
    return begun;
  }

  /** Bursts that wait or are on a core. */
  long underWay() {
    return begun - ended;
  }

  /** Has a node that serves work for a time beside its operations, at once. */
  void work(int node, long nanos) {
    if (nanos > 0 && nodes.serving[node]) {
      begun++;
      Message own = messages.take(Messages.OWN, messages.noOperation(), node, node, 0, 0, nanos);
      nodes.arrive(own);
    }
  }

  /** Has a node work for a time, in slices over another; it ends when the node stops. */
  void spread(int node, long nanos, long overNanos) {
    if (nanos > 0) {
      spreadNanos[node] += nanos;
      double gap = SLICE_NANOS * ((double) overNanos / nanos);
      sliceGapNanos[node] = Math.max(1, StrictMath.round(gap));
      if (!isSliceDue[node]) {
        slice(node);
      }
    }
  }

  /** Forgets what is left of a node's work that was spread: it has stopped. */
  void stopped(int node) {
    spreadNanos[node] = 0;
  }

  private void slice(int node) {
    if (!nodes.serving[node]) {
      spreadNanos[node] = 0;
    }
    long nanos = Math.min(SLICE_NANOS, spreadNanos[node]);
    spreadNanos[node] -= nanos;
    work(node, nanos);
    isSliceDue[node] = spreadNanos[node] > 0;
    if (isSliceDue[node]) {
      simulation.schedule(simulation.nowNanos() + sliceGapNanos[node], handler, SLICE, node);
    }
  }

  private void handle(int kind, int node) {
    switch (kind) {
      case BURST -> begin(node);
      case SLICE -> slice(node);
      default -> look(node);
    }
  }

  private void begin(int node) {
    if (nodes.serving[node] && isDue(node)) {
      begun++;
      nodes.arrive(messages.take(Messages.BACKGROUND, messages.noOperation(), node, node, 0, 0, 0));
    }
    schedule(node);
  }

  private boolean isDue(int node) {
    if (background.lingerNanos() < Long.MAX_VALUE
        && !(simulation.nowNanos() - nodes.lastWorkNanos(node) <= background.lingerNanos())) {
      return false;
    }
    return Double.isInfinite(background.depth())
        || random[node].nextDouble() < StrictMath.exp(-nodes.waiting(node) / background.depth());
  }

  private void schedule(int node) {
    simulation.schedule(simulation.nowNanos() + gap.sample(random[node]), handler, BURST, node);
  }
}
