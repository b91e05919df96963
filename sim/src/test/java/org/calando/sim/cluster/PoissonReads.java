package org.calando.sim.cluster;

import java.util.function.DoubleConsumer;
import org.calando.core.store.ConsistencyLevel;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.Simulation;

/** Reads of random keys at level ONE that arrive at random, whose times in nanoseconds it tells. */
final class PoissonReads {
  private static final int SLOTS = 1 << 12;
  private static final int KEYS = 1000;

  private final SimCluster cluster;
  private final Simulation simulation;
  private final Distribution gap;
  private final RandomStream random;
  private final long[] beganNanos = new long[SLOTS];
  private final int requester;
  private final int handler;
  private int begun;

  private PoissonReads(
      SimCluster cluster, Distribution gap, RandomStream random, DoubleConsumer told) {
    this.cluster = cluster;
    this.simulation = cluster.simulation();
    this.gap = gap;
    this.random = random;
    cluster.load(0, KEYS, 1);
    requester =
        cluster.register(
            (slot, outcome, version) -> {
              if (outcome.isError()) {
                throw new AssertionError("a read ended as " + outcome);
              }
              told.accept((double) (simulation.nowNanos() - beganNanos[slot]));
            });
    handler = simulation.register((kind, payload) -> arrive());
  }

  static void start(
      SimCluster cluster, Distribution gap, RandomStream random, DoubleConsumer told) {
    new PoissonReads(cluster, gap, random, told).arrive();
  }

  private void arrive() {
    int slot = begun++ & (SLOTS - 1);
    beganNanos[slot] = simulation.nowNanos();
    cluster.read(requester, slot, random.nextInt(KEYS), ConsistencyLevel.ONE);
    simulation.schedule(simulation.nowNanos() + gap.sample(random), handler, 0, 0);
  }
}
