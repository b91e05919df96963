package org.calando.sim.stage;

import org.calando.sim.kernel.Batches;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;

/** A pool of one node with Poisson arrivals and any core times. */
final class PoolModel implements StagedCores.Jobs {
  static final long SEED = Long.getLong("calando.seed", 42);
  private static final int MOST = 1 << 16;

  final Simulation simulation = new Simulation();
  final Batches times;
  final StagedCores cores;
  private final RandomStream arriving;
  private final RandomStream serving;
  private final Distribution gap;
  private final Distribution service;
  private final int pool;
  private final int handler;
  private final long[] arrivedNanos = new long[MOST];
  private int next;
  private long warmUp;
  long worked;

  PoolModel(int pool, NodeStages stages, int machine, double gap, Distribution service, int batch) {
    RandomStreams streams = new RandomStreams(SEED);
    this.arriving = streams.of("arrivals");
    this.serving = streams.of("services");
    this.gap = Distribution.exponential(gap);
    this.service = service;
    this.pool = pool;
    this.times = new Batches(batch);
    this.warmUp = batch;
    this.cores =
        new StagedCores(simulation, stages, new int[] {0}, new int[] {machine}, MOST, this);
    this.handler = simulation.register((kind, payload) -> arrive());
    simulation.schedule(this.gap.sample(arriving), handler, 0, 0);
  }

  PoolModel run() {
    simulation.runWhile(() -> !times.isFull());
    return this;
  }

  private void arrive() {
    simulation.schedule(simulation.nowNanos() + gap.sample(arriving), handler, 0, 0);
    int job = next++ & (MOST - 1);
    arrivedNanos[job] = simulation.nowNanos();
    cores.submit(job, 0, pool);
  }

  @Override
  public long begins(int job) {
    long nanos = service.sample(serving);
    worked += nanos;
    return nanos;
  }

  @Override
  public void done(int job) {
    if (--warmUp < 0) {
      times.add((double) (simulation.nowNanos() - arrivedNanos[job]));
    }
  }

  @Override
  public void lost(int job) {
    throw new IllegalStateException("job " + job);
  }
}
