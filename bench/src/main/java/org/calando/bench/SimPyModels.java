package org.calando.bench;

import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.store.ConsistencyLevel;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.Links;
import org.calando.sim.cluster.ServiceTimes;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.calando.sim.kernel.Station;

/** The models of {@code bench/simpy/models.py} here, each run once. */
final class SimPyModels {
  private static final double SERVICE = 1e6;
  private static final int SERVERS = 4;
  private static final double LOAD = 0.8;
  private static final int REPLICAS = 5;
  private static final double QUORUM_LOAD = 0.6;
  private static final int SLOTS = 1 << 14;
  private static final int BATCHES = 32;

  /** Student's t, two-sided 99.9 %, 31 degrees of freedom. */
  private static final double T_999 = 3.633;

  private final int length;
  private final long seed;
  private final double[] sums = new double[BATCHES];
  private final long[] beganNanos = new long[SLOTS];
  private final Simulation simulation = new Simulation();
  private final RandomStream arriving;
  private final RandomStream serving;
  private long begun;
  private long ended;

  SimPyModels(int operations, long seed) {
    this.length = operations / BATCHES;
    this.seed = seed;
    RandomStreams streams = new RandomStreams(seed);
    arriving = streams.of("arrivals");
    serving = streams.of("services");
  }

  /** Mean wait of the queue by Erlang's formula, in mean service times. */
  static double waitOfTheory() {
    double offered = SERVERS * LOAD;
    double term = 1;
    double sum = 0;
    for (int i = 0; i < SERVERS; i++) {
      sum += term;
      term *= offered / (i + 1);
    }
    double waiting = term / (1 - LOAD);
    return waiting / (sum + waiting) / (SERVERS * (1 - LOAD));
  }

  /** Runs the queue; returns the operations simulated. */
  long queue() {
    Station station = new Station(SERVERS, SLOTS);
    Distribution gap = Distribution.exponential(SERVICE / (SERVERS * LOAD));
    Distribution service = Distribution.exponential(SERVICE);
    int[] handler = new int[1];
    handler[0] =
        simulation.register(
            (kind, slot) -> {
              long now = simulation.nowNanos();
              int starts;
              if (kind == 0) {
                simulation.schedule(now + gap.sample(arriving), handler[0], 0, 0);
                int next = next(now);
                starts = station.arrive(next, now) == Station.Arrival.STARTS ? next : Station.NONE;
              } else {
                starts = station.depart(now);
              }
              if (starts != Station.NONE) {
                add(now - beganNanos[starts]);
                simulation.schedule(now + service.sample(serving), handler[0], 1, starts);
              }
            });
    simulation.schedule(gap.sample(arriving), handler[0], 0, 0);
    simulation.runWhile(() -> ended < (BATCHES + 1L) * length);
    return ended;
  }

  /** Runs the quorum on a simulated cluster; returns the operations simulated. */
  long quorum() {
    Distribution none = Distribution.NONE;
    NodeProfile profile =
        new NodeProfile("one core", 0, 1, 2, 1, 1, PowerCurve.linear(), 0, 0, "of no matter");
    Distribution read = Distribution.exponential(SERVICE);
    SimCluster cluster =
        new SimCluster(
            simulation,
            ClusterConfig.builder(Topology.racks(REPLICAS, 1), TokenRing.even(REPLICAS, REPLICAS))
                .links(Links.builder().build())
                .services(
                    new ServiceTimes(none, none, none, none, read, read, none, none, none, 0, 1))
                .profile(profile)
                .digests(false)
                .asksAll(true)
                .seed(seed)
                .build());
    cluster.load(0, 1, 1);
    int requester =
        cluster.register((slot, outcome, version) -> add(simulation.nowNanos() - beganNanos[slot]));
    Distribution gap = Distribution.exponential(SERVICE / QUORUM_LOAD);
    int[] handler = new int[1];
    handler[0] =
        simulation.register(
            (kind, payload) -> {
              long now = simulation.nowNanos();
              simulation.schedule(now + gap.sample(arriving), handler[0], 0, 0);
              cluster.read(requester, next(now), 0, ConsistencyLevel.QUORUM);
            });
    simulation.schedule(gap.sample(arriving), handler[0], 0, 0);
    simulation.runWhile(() -> ended < (BATCHES + 1L) * length);
    return ended;
  }

  /** Mean in mean service times. */
  double mean() {
    double sum = 0;
    for (double batch : sums) {
      sum += batch;
    }
    return sum / ((double) length * BATCHES * SERVICE);
  }

  /** Half of its 99.9 % interval. */
  double halfWidth() {
    double mean = mean();
    double squares = 0;
    for (double batch : sums) {
      double difference = batch / (length * SERVICE) - mean;
      squares += difference * difference;
    }
    return T_999 * Math.sqrt(squares / (BATCHES - 1) / BATCHES);
  }

  private int next(long now) {
    int slot = (int) (begun++ & (SLOTS - 1));
    beganNanos[slot] = now;
    return slot;
  }

  /** Takes a time in, but those of the warm-up, which are as many as a batch. */
  private void add(long nanos) {
    long at = ended++ - length;
    if (at >= 0 && at < (long) BATCHES * length) {
      sums[(int) (at / length)] += nanos;
    }
  }
}
