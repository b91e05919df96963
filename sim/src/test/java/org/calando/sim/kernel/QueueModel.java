package org.calando.sim.kernel;

/** A queue with Poisson arrivals, c servers and any service times. */
final class QueueModel {
  static final long SEED = Long.getLong("calando.seed", 42);
  private static final int ARRIVAL = 0;
  private static final int DEPARTURE = 1;
  private static final int JOBS = 1 << 16;

  final Simulation simulation = new Simulation();
  final Station station;
  final Batches waits;
  long warmup;
  private final RandomStream arriving;
  private final RandomStream serving;
  private final Distribution gap;
  private final Distribution service;
  private final long[] arrivedNanos = new long[JOBS];
  private final int handler;
  private long arrived;
  private long finished;
  long sumOfTimes;
  long checksum;

  QueueModel(int servers, double gapNanos, Distribution service, int batch, long seed) {
    RandomStreams streams = new RandomStreams(seed);
    arriving = streams.of("arrivals");
    serving = streams.of("services");
    station = new Station(servers, JOBS);
    gap = Distribution.exponential(gapNanos);
    this.service = service;
    waits = new Batches(batch);
    warmup = batch;
    handler = simulation.register(this::handle);
    simulation.schedule(gap.sample(arriving), handler, ARRIVAL, 0);
  }

  QueueModel run() {
    simulation.runWhile(() -> !waits.isFull());
    return this;
  }

  private void handle(int kind, int job) {
    long now = simulation.nowNanos();
    checksum = RandomStream.mix(checksum ^ (now << 20) ^ ((long) kind << 16) ^ job);
    if (kind == ARRIVAL) {
      simulation.schedule(now + gap.sample(arriving), handler, ARRIVAL, 0);
      int next = (int) (arrived++ & (JOBS - 1));
      arrivedNanos[next] = now;
      if (station.arrive(next, now) == Station.Arrival.STARTS) {
        start(next, now);
      }
    } else {
      finished++;
      sumOfTimes += now - arrivedNanos[job];
      int next = station.depart(now);
      if (next != Station.NONE) {
        start(next, now);
      }
    }
  }

  private void start(int job, long now) {
    if (finished >= warmup) {
      waits.add((double) (now - arrivedNanos[job]));
    }
    simulation.schedule(now + service.sample(serving), handler, DEPARTURE, job);
  }
}
