package org.calando.sim.cluster;

import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;

/**
 * Begins the nodes' own work: bursts in Poisson arrivals while they serve, and what it costs them
 * to go and to come back. Not thread safe.
 */
final class Housekeeping {
  private static final int BURST = 0;
  private static final int SLICE = 1;

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
    if (kind == BURST) {
      begin(node);
    } else {
      slice(node);
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
