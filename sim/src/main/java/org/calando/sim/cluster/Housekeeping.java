package org.calando.sim.cluster;

import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;

/** Begins the nodes' own work, in Poisson arrivals while they serve. Not thread safe. */
final class Housekeeping {
  private final Simulation simulation;
  private final Messages messages;
  private final Nodes nodes;
  private final Background background;
  private final Distribution gap;
  private final RandomStream[] random;
  private final int handler;

  private long begun;
  private long ended;

  Housekeeping(ClusterConfig config, Simulation simulation, Messages messages, Nodes nodes) {
    this.simulation = simulation;
    this.messages = messages;
    this.nodes = nodes;
    this.handler = simulation.register((kind, node) -> begin(node));
    background = config.background();
    boolean none = background.cores() == 0;
    gap =
        none
            ? Distribution.NONE
            : Distribution.exponential(background.burst().meanNanos() / background.cores());
    random = new RandomStream[none ? 0 : config.topology().size()];
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
    simulation.schedule(simulation.nowNanos() + gap.sample(random[node]), handler, 0, node);
  }
}
