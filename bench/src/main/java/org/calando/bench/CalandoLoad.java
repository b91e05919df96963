package org.calando.bench;

import org.calando.core.store.Session;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;
import org.calando.load.Levels;
import org.calando.load.LoadResult;
import org.calando.load.LoadRun;
import org.calando.load.LoadSpec;
import org.calando.load.Loop;
import org.calando.load.Recorder;
import org.calando.store.cassandra.CassandraStore;

/** Calando's closed loop as a study runs it: oracle, recorder, intervals of a second. */
final class CalandoLoad implements LoadVariant, AutoCloseable {
  private final CassandraStore store;
  private final Session session;
  private final Workload workload;
  private final int slots;
  private final StalenessOracle oracle;
  private final RealTimeScheduler scheduler = new RealTimeScheduler("bench-load");
  private final RealTimeScheduler housekeeping = new RealTimeScheduler("bench-housekeeping");
  private long seed;

  /** A load on a table that holds the workload's records, each written once by Calando. */
  CalandoLoad(CassandraStore store, Workload workload, int slots, long seed) {
    this.store = store;
    this.session = store.open(slots);
    this.workload = workload;
    this.slots = slots;
    this.seed = seed;
    this.oracle = new StalenessOracle(StalenessOracle.Config.of(workload.records(), slots, slots));
    oracle.loaded(0, workload.records());
  }

  @Override
  public String name() {
    return "calando";
  }

  @Override
  public void perform(long operations) throws InterruptedException {
    Levels levels = Levels.both(LoadgenBenchmark.LEVEL);
    LoadSpec spec =
        LoadSpec.builder(workload, new Loop.Closed(slots), () -> levels)
            .operations(operations)
            .seed(seed++)
            .build();
    LoadRun run =
        new LoadRun(spec, session, oracle, new Recorder(interval -> {}), scheduler, housekeeping);
    run.start();
    LoadResult result = run.await();
    if (result.errors() > 0 || result.notFound() > 0 || result.operations() != operations) {
      throw new IllegalStateException("operations failed: " + result);
    }
  }

  /** Reads that the oracle judged so far. */
  long reads() {
    return oracle.snapshot().reads();
  }

  /** Reads that were stale, which one node never answers, or not checked. */
  long suspectReads() {
    var found = oracle.snapshot();
    return found.staleReads() + found.foreignReads() + found.untrackedReads();
  }

  @Override
  public void close() {
    scheduler.close();
    housekeeping.close();
    session.close();
    store.close();
  }
}
