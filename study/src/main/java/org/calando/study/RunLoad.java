package org.calando.study;

import java.util.function.Supplier;
import org.calando.core.store.Session;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;
import org.calando.load.ArrivalProcess;
import org.calando.load.Levels;
import org.calando.load.LoadSpec;
import org.calando.load.LoadTrace;
import org.calando.load.Loop;
import org.calando.load.RateProfile;
import org.calando.study.load.WarmUpWatch;
import org.calando.studyfile.workload.RateSpec;
import org.calando.studyfile.workload.WorkloadBinder;
import org.calando.studyfile.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/** The load that one run puts on the store, and the oracle that fits it. Immutable. */
final class RunLoad {
  /** Operations under way while the records are loaded. */
  static final int LOADING_SLOTS = 64;

  /** More than one client machine gets out of a closed loop; sizes tables, limits nothing. */
  private static final double CLOSED_LOOP_PEAK_PER_SECOND = 50_000;

  /** Inserts that places are kept for: more than that are not checked, which the report tells. */
  private static final long MAX_INSERTS = 1L << 24;

  private static final int ORACLE_BYTES_PER_KEY = 16;

  /** The oracle may take this part of the memory; keys beyond are not checked. */
  private static final int ORACLE_MEMORY_SHARE = 4;

  private final RunConfig run;
  private final Workload workload;
  private final WorkloadSpec.WarmUp warmUp;
  private final Loop loop;

  /**
   * A run's load.
   *
   * @param run the run, whose workload is possible
   */
  RunLoad(RunConfig run) {
    this.run = run;
    this.workload = WorkloadBinder.bind(run.workload()).workload();
    this.warmUp = run.workload().warmUp();
    this.loop = loop(run);
  }

  /** What clients do. */
  Workload workload() {
    return workload;
  }

  /** Slots that a session needs for it: {@link Session#slots}. */
  int slots() {
    return loop.slots();
  }

  /**
   * What the load generator is to do.
   *
   * @param dual compares each read with a second one, or null for single reads
   * @param levels of the next operation
   */
  LoadSpec spec(@Nullable DualRead dual, Supplier<Levels> levels) {
    // YCSB's choosers spread requests over the keys that are yet to be inserted, too.
    Workload withLength = workload.toBuilder().operationCount(expectedOperations()).build();
    LoadSpec.Builder builder =
        LoadSpec.builder(withLength, loop, levels)
            .operations(run.operations())
            .durationNanos(run.durationNanos())
            .warmupOperations(warmUp.operations())
            .warmupNanos(warmUp.nanos())
            .seed(run.seed());
    if (dual != null) {
      builder.dualRead(dual);
    }
    if (warmsUntilSteady()) {
      builder.beginsWhenTold();
    }
    return builder.build();
  }

  /**
   * Whether the measured window begins when throughput is steady. Not beside a rate that changes:
   * its times count from the begin of the warm-up, so they would not be those of the window.
   */
  boolean warmsUntilSteady() {
    return warmUp.untilSteady()
        && run.rate()
            .filter(
                rate -> !(rate instanceof RateSpec.Constant || rate instanceof RateSpec.Poisson))
            .isEmpty();
  }

  /** An oracle that has places for the loading's slots too, as it knows what that writes. */
  StalenessOracle newOracle() {
    return newOracle(Runtime.getRuntime().maxMemory() / ORACLE_MEMORY_SHARE / ORACLE_BYTES_PER_KEY);
  }

  /** The same, for at most so many keys. */
  StalenessOracle newOracle(long mostKeys) {
    int slots = Math.max(LOADING_SLOTS, loop.slots());
    int clients = Math.max(LOADING_SLOTS, loop.clients());
    return new StalenessOracle(
        StalenessOracle.Config.of(Math.min(expectedKeys(), mostKeys), slots, clients));
  }

  /** Keys that the run can come to know: those loaded, and as many inserts as can be expected. */
  long expectedKeys() {
    double share = workload.mix().insert();
    if (share == 0) {
      return workload.records();
    }
    double operations = expectedOperations();
    if (warmsUntilSteady()) {
      operations += WarmUpWatch.MOST_NANOS / 1e9 * peakPerSecond();
    }
    double inserts = Math.min(MAX_INSERTS, operations * share * 2);
    return workload.records() + Math.max(1024, (long) inserts);
  }

  long expectedOperations() {
    if (run.operations() > 0) {
      return run.operations() + warmUp.operations();
    }
    double seconds = (run.durationNanos() + warmUp.nanos()) / 1e9;
    double share = workload.mix().insert();
    double most = share == 0 ? Long.MAX_VALUE : MAX_INSERTS / share;
    return (long) Math.min(most, seconds * peakPerSecond());
  }

  private double peakPerSecond() {
    return run.rate().map(RateSpec::peakPerSecond).orElse(CLOSED_LOOP_PEAK_PER_SECOND);
  }

  /** The loop that a run's operations come in. */
  static Loop loop(RunConfig run) {
    if (run.threads().isPresent()) {
      return new Loop.Closed(run.threads().getAsInt());
    }
    ArrivalProcess arrivals = arrivals(run.rate().orElseThrow());
    return new Loop.Open(arrivals, run.maxInFlight(), run.clients());
  }

  private static ArrivalProcess arrivals(RateSpec rate) {
    if (rate instanceof RateSpec.Poisson poisson) {
      return ArrivalProcess.poisson(poisson.perSecond());
    }
    return ArrivalProcess.even(profile(rate));
  }

  private static RateProfile profile(RateSpec rate) {
    if (rate instanceof RateSpec.Steps steps) {
      RateProfile.Builder builder = RateProfile.builder();
      steps.steps().forEach(step -> builder.step(step.perSecond(), step.durationNanos()));
      return builder.build();
    }
    if (rate instanceof RateSpec.Ramp ramp) {
      return RateProfile.builder()
          .ramp(ramp.fromPerSecond(), ramp.toPerSecond(), ramp.durationNanos())
          .build();
    }
    if (rate instanceof RateSpec.Traced traced) {
      LoadTrace trace = traced.trace();
      RateProfile.Builder builder = RateProfile.builder();
      for (int step = 0; step < trace.steps(); step++) {
        builder.step(trace.perSecond(step), trace.stepNanos());
      }
      return builder.build();
    }
    return RateProfile.constant(((RateSpec.Constant) rate).perSecond());
  }
}
