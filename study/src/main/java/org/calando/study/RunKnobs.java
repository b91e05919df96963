package org.calando.study;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.calando.clock.LeaseFolders;
import org.calando.core.policy.Controller;
import org.calando.core.store.Capable;
import org.calando.core.time.Scheduler;
import org.calando.core.workload.Workload;
import org.calando.knob.DrivenKnob;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobRun;
import org.calando.knob.RunPart;
import org.calando.report.column.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * The knobs of a run that are found as services, as they are set from when this is begun until it
 * is closed. Used by the run's thread.
 */
final class RunKnobs implements RunPart {
  /** Where their keys stand. */
  private static final String WHERE = "matrix";

  private final RunConfig run;
  private final Capable cluster;
  private final KnobHolder holder;

  private RunKnobs(RunConfig run, Capable cluster, KnobHolder holder) {
    this.run = run;
    this.cluster = cluster;
    this.holder = holder;
  }

  /**
   * Sets a run's knobs, and has its policies decide from now on, each period of the study's
   * monitor.
   *
   * @param leases where it is noted how knobs were; empty if none is set
   * @param scheduler of policies; stays open
   * @return null if the run has none
   * @throws org.calando.core.BadRequestException if one has another owner
   * @throws org.calando.core.FailedWorkException if one cannot be set; all are as before then
   */
  static @Nullable RunKnobs start(
      RunTask task, Capable cluster, Optional<LeaseFolders> leases, Scheduler scheduler)
      throws InterruptedException {
    RunConfig run = task.run();
    if (of(run).isEmpty()) {
      return null;
    }
    boolean decides = of(run).stream().anyMatch(knob -> controller(knob, run).isPresent());
    KnobHolder.Means means =
        new KnobHolder.Means(
            scheduler,
            task.study().monitor().periodNanos(),
            leases,
            "run " + run.id(),
            decides ? Optional.of(task.files().decisions()) : Optional.empty(),
            Optional.empty(),
            task.progress()::line);
    return new RunKnobs(run, cluster, KnobHolder.start(run.point(), WHERE, cluster, means));
  }

  /**
   * Begins to drive the knobs of a run that have drivers of their own, in the order of their ranks.
   *
   * @param which of them
   * @param cluster the cluster, the store and the run's session
   * @param schedulers of the run's own, by their threads' names
   */
  static void drive(
      RunTask task,
      Predicate<DrivenKnob> which,
      Workload workload,
      Capable cluster,
      RunParts parts,
      Function<String, Scheduler> schedulers)
      throws InterruptedException {
    RunConfig run = task.run();
    KnobRun driven =
        new KnobRun(
            run.id(),
            RunControllers.configuration(task.study(), run),
            run.seed(),
            workload,
            cluster,
            task.files()::decisions,
            task.files()::begin,
            schedulers,
            end -> parts.closes(end::run),
            task.stop()::check);
    for (DrivenKnob knob : DrivenKnobs.of(run.point())) {
      if (which.test(knob)) {
        knob.begin(driven).ifPresent(parts::add);
      }
    }
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
    List<KnobAxis<?>> knobs = ofClusters(runs);
    if (!knobs.isEmpty()) {
      Capable offering = cluster.get();
      knobs.forEach(knob -> knob.bind(offering, where(knob)));
    }
  }

  /** Those that runs set and that clusters offer. */
  static List<KnobAxis<?>> ofClusters(List<RunConfig> runs) {
    return runs.stream()
        .flatMap(run -> of(run).stream())
        .filter(knob -> !knob.type().ofSessions())
        .distinct()
        .toList();
  }

  static String where(KnobAxis<?> knob) {
    return WHERE + "." + knob.axis();
  }

  @Override
  public void record(RunRecord found) {
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
