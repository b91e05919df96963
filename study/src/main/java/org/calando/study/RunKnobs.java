package org.calando.study;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.calando.clock.LeaseFolders;
import org.calando.control.DecisionLog;
import org.calando.core.policy.Controller;
import org.calando.core.store.Capable;
import org.calando.core.time.Scheduler;
import org.calando.knob.KnobAxis;
import org.calando.report.column.RunRecord;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/**
 * The knobs of a run that are found as services, as they are set from when this is begun until it
 * is closed. Used by the run's thread.
 */
final class RunKnobs implements RunEdges, AutoCloseable {
  /** Where their keys stand. */
  private static final String WHERE = "matrix";

  private final RunConfig run;
  private final Capable cluster;
  private final @Nullable DecisionLog log;
  private final KnobHolder holder;

  private RunKnobs(RunConfig run, Capable cluster, @Nullable DecisionLog log, KnobHolder holder) {
    this.run = run;
    this.cluster = cluster;
    this.log = log;
    this.holder = holder;
  }

  /**
   * Sets a run's knobs, and has its policies decide from now on, each period of the study's
   * monitor.
   *
   * @param leases where it is noted how knobs were; empty if none is set
   * @param scheduler of policies; stays open
   * @param files where decisions are noted
   * @param news takes lines on what happens to the guard, from another thread
   * @return null if the run has none
   * @throws org.calando.core.BadRequestException if one has another owner
   * @throws org.calando.core.FailedWorkException if one cannot be set; all are as before then
   */
  static @Nullable RunKnobs start(
      StudySpec study,
      RunConfig run,
      Capable cluster,
      Optional<LeaseFolders> leases,
      Scheduler scheduler,
      RunFiles files,
      Consumer<String> news)
      throws InterruptedException {
    if (of(run).isEmpty()) {
      return null;
    }
    boolean decides = of(run).stream().anyMatch(knob -> controller(knob, run).isPresent());
    DecisionLog log = decides ? files.decisions() : null;
    KnobHolder.Means means =
        new KnobHolder.Means(
            scheduler,
            study.monitor().periodNanos(),
            leases,
            "run " + run.id(),
            Optional.ofNullable(log),
            Optional.empty(),
            news);
    return new RunKnobs(run, cluster, log, KnobHolder.start(run.point(), WHERE, cluster, means));
  }

  /** Those that a run sets. */
  static List<KnobAxis<?>> of(RunConfig run) {
    return KnobHolder.of(run.point());
  }

  /** What decides on a knob in a run; empty if a value is held, or nothing is set. */
  static Optional<Controller<?>> controller(KnobAxis<?> knob, RunConfig run) {
    return KnobHolder.controller(knob, run.point());
  }

  /**
   * Refuses runs that set a knob which a cluster does not offer.
   *
   * @throws org.calando.core.BadRequestException naming what the cluster would need
   */
  static void require(List<RunConfig> runs, Supplier<? extends Capable> cluster) {
    List<KnobAxis<?>> knobs = runs.stream().flatMap(run -> of(run).stream()).distinct().toList();
    if (!knobs.isEmpty()) {
      Capable offering = cluster.get();
      knobs.forEach(knob -> knob.bind(offering, where(knob)));
    }
  }

  static String where(KnobAxis<?> knob) {
    return WHERE + "." + knob.axis();
  }

  @Override
  public void measurementBegan(long nanos) {
    if (log != null) {
      log.measurementBegan(nanos);
    }
  }

  @Override
  public void measurementEnded(long nanos) {
    if (log != null) {
      log.measurementEnded();
    }
  }

  /**
   * Gives what the knobs' columns show, what others changed of them, and why their policies failed,
   * if one did.
   */
  void record(RunRecord found) {
    found.note(holder.drifts());
    of(run).forEach(knob -> knob.type().record(cluster, found));
    holder.failure().ifPresent(why -> found.fail("a policy failed: " + why));
  }

  /** Decides no more; the knobs are as they were before. */
  @Override
  public void close() {
    holder.close();
  }
}
