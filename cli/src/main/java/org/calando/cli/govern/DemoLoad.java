package org.calando.cli.govern;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Profiles;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.Session;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.workload.Mix;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;
import org.calando.engine.LoadBounds;
import org.calando.engine.StoreSpec;
import org.calando.engine.Target;
import org.calando.load.ArrivalProcess;
import org.calando.load.Levels;
import org.calando.load.LoadResult;
import org.calando.load.LoadRun;
import org.calando.load.LoadSpec;
import org.calando.load.Loop;
import org.calando.load.RateProfile;
import org.calando.load.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * A load on a cluster of this machine that rises and falls, until it is closed. It is on a table of
 * Calando's own. Not thread safe.
 */
public final class DemoLoad implements AutoCloseable {
  /** Reads and writes a second, at least and at most. */
  private static final double LEAST = 40;

  private static final double MOST = 400;

  /** From the least to the most, and back. */
  private static final long RAMP_NANOS = TimeUnit.MINUTES.toNanos(3);

  private static final long HELD_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final int CYCLES = 1000;
  private static final int LOADING_SLOTS = 4;
  private static final int SLOTS = 64;
  private static final int CLIENTS = 16;

  /** A store that is being shifted may answer nothing for a while. */
  private static final long GIVE_UP_NANOS = TimeUnit.DAYS.toNanos(7);

  private static final Workload WORKLOAD =
      Workload.builder().records(1000).mix(new Mix(0.95, 0.05, 0, 0, 0)).build();

  private final Target cluster;
  private final KeyValueStore store;
  private final Session session;
  private final RealTimeScheduler scheduler = new RealTimeScheduler("calando-load");
  private final LoadRun run;

  private DemoLoad(Target cluster, KeyValueStore store, Session session, StalenessOracle oracle) {
    this.cluster = cluster;
    this.store = store;
    this.session = session;
    this.run =
        new LoadRun(spec(), session, oracle, new Recorder(interval -> {}), scheduler, scheduler);
  }

  /**
   * Writes the records, and begins; blocks until they are written.
   *
   * @throws FailedWorkException if they cannot be written
   */
  public static DemoLoad start(StoreSpec spec, Path base) throws InterruptedException {
    Target cluster = spec.kind().reach(spec, Profiles.byName(Profiles.DEFAULT).orElseThrow(), base);
    @Nullable KeyValueStore store = null;
    @Nullable Session session = null;
    @Nullable DemoLoad load = null;
    try {
      store = cluster.connect(new LoadBounds("demo", spec, false));
      store.prepare(WORKLOAD.tableSpec());
      StalenessOracle oracle =
          new StalenessOracle(StalenessOracle.Config.of(WORKLOAD.records(), SLOTS, CLIENTS));
      fill(store, oracle);
      session = store.open(SLOTS);
      load = new DemoLoad(cluster, store, session, oracle);
      load.run.start();
      return load;
    } finally {
      if (load == null) {
        if (session != null) {
          session.close();
        }
        if (store != null) {
          store.close();
        }
        cluster.close();
      }
    }
  }

  /** How it rises and falls, in words. */
  public String words() {
    return "from %.0f to %.0f requests a second in %d min, and back"
        .formatted(LEAST, MOST, TimeUnit.NANOSECONDS.toMinutes(RAMP_NANOS));
  }

  private static void fill(KeyValueStore store, StalenessOracle oracle)
      throws InterruptedException {
    LoadSpec spec = LoadSpec.loading(WORKLOAD, LOADING_SLOTS, ConsistencyLevel.QUORUM).build();
    try (RealTimeScheduler scheduler = new RealTimeScheduler("calando-load");
        Session session = store.open(LOADING_SLOTS)) {
      LoadRun run = new LoadRun(spec, session, oracle, new Recorder(interval -> {}), scheduler);
      run.start();
      LoadResult result = run.await();
      if (!result.reason().isComplete() || result.errors() > 0) {
        throw new FailedWorkException(
            "the demo's records were not written: " + String.join("; ", session.errors()),
            "demo",
            "check that the machine is not overloaded by other work, and repeat it");
      }
    }
  }

  private static LoadSpec spec() {
    RateProfile.Builder rates = RateProfile.builder();
    for (int i = 0; i < CYCLES; i++) {
      rates.step(LEAST, HELD_NANOS).ramp(LEAST, MOST, RAMP_NANOS);
      rates.step(MOST, HELD_NANOS).ramp(MOST, LEAST, RAMP_NANOS);
    }
    Loop loop = new Loop.Open(ArrivalProcess.poisson(rates.build()), SLOTS, CLIENTS);
    Levels levels = new Levels(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM);
    return LoadSpec.builder(WORKLOAD, loop, () -> levels)
        .durationNanos(CYCLES * 2 * (RAMP_NANOS + HELD_NANOS))
        .giveUpNanos(GIVE_UP_NANOS)
        .build();
  }

  @Override
  public void close() {
    try (cluster;
        store;
        session;
        scheduler) {
      run.stop();
    }
  }
}
