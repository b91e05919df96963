package org.calando.load;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.Mix;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;

/** A load run in virtual time, with everything that it needs. */
final class TestRun {
  static final long MICRO = 1_000;
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000_000_000;
  static final long SEED = Long.getLong("calando.seed", 42);

  final VirtualScheduler scheduler = new VirtualScheduler();
  final MemoryStore store;
  final StalenessOracle oracle;
  final List<Interval> intervals = new ArrayList<>();
  final List<Long> began = new ArrayList<>();
  final List<Long> mayHaveEnded = new ArrayList<>();
  final List<Long> ended = new ArrayList<>();
  final Recorder recorder = new Recorder(listener());
  final LoadRun run;

  TestRun(LoadSpec.Builder spec, Loop loop, MemoryStore.Behaviour behaviour) {
    store = new MemoryStore(loop.slots(), scheduler, behaviour);
    oracle = new StalenessOracle(StalenessOracle.Config.of(1 << 20, loop.slots(), loop.clients()));
    oracle.loaded(0, 1000);
    run = new LoadRun(spec.seed(SEED).build(), store, oracle, recorder, scheduler);
  }

  static Workload workload(Mix mix) {
    return Workload.builder().records(1000).mix(mix).build();
  }

  static Workload reads() {
    return workload(Mix.readUpdate(1, 0));
  }

  static Workload half() {
    return workload(Mix.readUpdate(0.5, 0.5));
  }

  static LoadSpec.Builder spec(Workload workload, Loop loop) {
    return LoadSpec.builder(workload, loop, () -> Levels.both(ConsistencyLevel.ONE));
  }

  static MemoryStore.Behaviour after(long nanos) {
    return sent -> nanos;
  }

  LoadResult runToEnd() {
    run.start();
    scheduler.runUntilDone(run);
    return run.result();
  }

  private IntervalListener listener() {
    return new IntervalListener() {
      @Override
      public void interval(Interval interval) {
        intervals.add(interval);
      }

      @Override
      public void measurementBegan(long nanos) {
        began.add(nanos);
      }

      @Override
      public void mayHaveEnded(long nanos) {
        mayHaveEnded.add(nanos);
      }

      @Override
      public void measurementEnded(long nanos) {
        ended.add(nanos);
      }
    };
  }
}
