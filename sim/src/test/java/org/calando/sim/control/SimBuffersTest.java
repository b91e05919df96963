package org.calando.sim.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.calando.control.ControlLoop;
import org.calando.control.DeferringClients;
import org.calando.control.HeldBuffer;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.policy.buffer.FreshBufferPolicy;
import org.calando.core.policy.buffer.FreshLimits;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.DeferredWrites;
import org.calando.core.store.Session;
import org.calando.sim.SimStore;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.ServiceTimes;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimBuffersTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;
  private static final int SLOTS = 4096;
  private static final int[] RATES = {50, 2000, 50, 0, 2000, 300, 0, 50};

  private final Simulation simulation = new Simulation();
  private final SimScheduler scheduler = new SimScheduler(simulation);
  private final SimCluster cluster =
      new SimCluster(
          simulation,
          ClusterConfig.builder(Topology.racks(3, 1), TokenRing.even(3, 1))
              .services(ServiceTimes.li2013())
              .seed(SEED)
              .build());
  private final SimStore store = new SimStore(cluster, 0.2, 1);
  private final Session session = store.open(SLOTS);
  private final DeferredWrites writes = (DeferredWrites) session;
  private final Deque<Integer> free = new ArrayDeque<>();
  private final List<HeldBuffer.Decided> decided = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(SEED);
  private long version;

  private ControlLoop<?> start(FreshPromise promise) {
    for (int slot = 0; slot < SLOTS; slot++) {
      free.add(slot);
    }
    return HeldBuffer.start(
        scheduler,
        new FreshBufferPolicy(promise, FreshLimits.DEFAULT),
        "t",
        store.find(DeferringClients.class).orElseThrow().deferring(1000, promise.mostAtRisk()),
        decided::add);
  }

  /** Poisson writes of a rate; what became of those of this time. */
  private DeferralFigures send(int perSecond, int seconds) {
    long end = simulation.nowNanos() + seconds * SECOND;
    writes.beginWindow();
    long next = simulation.nowNanos();
    while (perSecond > 0) {
      next += Math.max(1, (long) (-Math.log(1 - random.nextDouble()) * SECOND / perSecond));
      if (next >= end) {
        break;
      }
      simulation.runUntil(next);
      session.write(
          free.remove(),
          random.nextInt(1000),
          0,
          1000,
          ++version,
          ConsistencyLevel.ONE,
          (slot, outcome, read) -> free.add(slot));
    }
    simulation.runUntil(end);
    return writes.figures();
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 500, 2000})
  void aPromiseIsKeptWhileTheRateStepsAndStops(int millis) {
    ControlLoop<?> buffers = start(new FreshPromise(millis * MS, FreshPromise.ANY));
    long flushes = 0;
    for (int rate : RATES) {
      DeferralFigures figures = send(rate, 15);
      flushes += figures.flushes();
      assertThat(figures.freshness99Nanos())
          .as("%d ms, %d/s, seed %d", millis, rate, SEED)
          .isLessThanOrEqualTo(millis * MS);
    }
    assertThat(version / flushes).as("writes of a request").isGreaterThan(10);
    assertThat(decided).hasSize(8 * 15 * 4);
    assertThat(decided).anyMatch(HeldBuffer.Decided::changed);
    buffers.close();
    DeferralFigures strong = send(50, 5);
    assertThat(strong.flushes()).isZero();
    assertThat(strong.freshnessMaxNanos()).isLessThan(millis * MS);
  }

  @Test
  void aBoundOnWritesAtRiskIsHard() {
    ControlLoop<?> buffers = start(new FreshPromise(2000 * MS, 100));
    DeferralFigures figures = send(2000, 20);
    assertThat(figures.mostAtRisk()).isBetween(40L, 100L);
    assertThat(figures.flushes()).isPositive();
    buffers.close();
  }

  @Test
  void fixedSettingsHoldWholeWrites() {
    new SimBuffers(cluster, 1).fix(new BufferSetting(2_500, 40 * MS), true, 1000);
    for (int slot = 0; slot < SLOTS; slot++) {
      free.add(slot);
    }
    // Of writes that come every 50 ms on average, about half are sent by themselves, too old.
    DeferralFigures figures = send(20, 60);
    assertThat(figures.visible()).isBetween(1000L, 1400L);
    assertThat((double) figures.flushes() / figures.visible()).isBetween(0.55, 0.8);
    // The second of a pair waits until both are written, and is never at risk.
    assertThat(figures.mostAtRisk()).isBetween(1L, 5L);
    assertThat(figures.freshnessMaxNanos()).isGreaterThan(40 * MS);
  }
}
