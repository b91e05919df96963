package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.calando.clock.KnobLease;
import org.calando.clock.LeaseFolders;
import org.calando.control.ControlLoop;
import org.calando.control.DecisionLog;
import org.calando.control.Sensor;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Knob;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.store.Capable;
import org.calando.core.time.Scheduler;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobChoice;
import org.calando.knob.KnobTypes;
import org.calando.report.column.RunRecord;
import org.jspecify.annotations.Nullable;

/*
 *   held      own --> set                                                       --> as before
 *   policy    own --> ControlLoop: sensor, controller, decisions.csv --> set    --> as before
 */
/**
 * The knobs of a run that are found as services: each is set, or its policy sets it, while this is
 * open, and is as it was before when it is closed or the process ends in whatever way. Used by the
 * run's thread.
 */
final class RunKnobs implements RunEdges, AutoCloseable {
  private final Capable cluster;
  private final Means means;
  private final @Nullable DecisionLog log;
  private final KnobLease lease;
  private final List<KnobAxis<?>> knobs;
  private final List<ControlLoop<?>> loops = new ArrayList<>();

  /**
   * What is needed to set knobs.
   *
   * @param scheduler of policies; stays open
   * @param periodNanos from one decision to the next
   * @param folders where it is noted how knobs were; empty if none is set
   * @param owner who has them, for others who are refused
   * @param news takes lines on what happens to the guard, from another thread
   */
  record Means(
      Scheduler scheduler,
      long periodNanos,
      Optional<LeaseFolders> folders,
      String owner,
      Consumer<String> news) {}

  private RunKnobs(
      List<KnobAxis<?>> knobs, Capable cluster, Means means, @Nullable DecisionLog log) {
    this.knobs = knobs;
    this.cluster = cluster;
    this.means = means;
    this.log = log;
    this.lease = KnobLease.begin(means.folders().orElseThrow(), means.owner(), means.news());
  }

  /**
   * Sets a run's knobs, and has its policies decide from now on.
   *
   * @param files where decisions are noted
   * @return null if the run has none
   * @throws org.calando.core.BadRequestException if the cluster does not offer one, or it has
   *     another owner
   * @throws org.calando.core.FailedWorkException if one cannot be set; all are as before then
   */
  static @Nullable RunKnobs start(RunConfig run, Capable cluster, Means means, RunFiles files)
      throws InterruptedException {
    List<KnobAxis<?>> knobs = of(run);
    if (knobs.isEmpty()) {
      return null;
    }
    boolean decides = knobs.stream().anyMatch(knob -> controller(knob, run).isPresent());
    RunKnobs started = new RunKnobs(knobs, cluster, means, decides ? files.decisions() : null);
    boolean all = false;
    try {
      for (KnobAxis<?> knob : knobs) {
        started.begin(knob, run);
      }
      all = true;
      return started;
    } finally {
      if (!all) {
        started.close();
      }
    }
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
    return "matrix." + knob.axis();
  }

  /** Those that a run sets. */
  static List<KnobAxis<?>> of(RunConfig run) {
    return KnobTypes.all().stream()
        .filter(knob -> run.point().axes().contains(knob.axis()))
        .toList();
  }

  /** What decides on a knob in a run; empty if a value is held, or nothing is set. */
  static <V> Optional<Controller<?>> controller(KnobAxis<V> knob, RunConfig run) {
    return run.point().find(knob.axis()).flatMap(KnobChoice::controller);
  }

  private <V> void begin(KnobAxis<V> axis, RunConfig run) throws InterruptedException {
    KnobChoice<V> choice = run.point().get(axis.axis());
    Knob<V> knob = axis.bind(cluster, where(axis));
    lease.own(knob);
    V before = knob.current();
    if (choice.held().isPresent()) {
      lease.set(axis, knob, before, choice.held().get());
    } else {
      loops.add(loop(axis, knob, before, choice.controller().orElseThrow()));
    }
  }

  private <V, S> ControlLoop<S> loop(
      KnobAxis<V> axis, Knob<V> knob, V before, Controller<S> controller) {
    Sensor sensor =
        axis.type()
            .sensor(cluster, knob)
            .orElseThrow(() -> new IllegalStateException(axis.axis() + " has no sensor"));
    return ControlLoop.looking(
            means.scheduler(),
            new PolicyLoop<>(controller, knob.target()),
            sensor,
            (decision, now) ->
                decision.value(knob.id()).ifPresent(value -> set(axis, knob, before, value)))
        .periodNanos(means.periodNanos())
        .listener(Objects.requireNonNull(log))
        .start();
  }

  private <V> void set(KnobAxis<V> axis, Knob<V> knob, V before, V to) {
    try {
      lease.set(axis, knob, before, to);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
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

  /** Gives what the knobs' columns show, and why their policies failed, if one did. */
  void record(RunRecord found) {
    knobs.forEach(knob -> knob.type().record(cluster, found));
    loops.stream()
        .flatMap(loop -> loop.failure().stream())
        .findFirst()
        .ifPresent(why -> found.fail("a policy failed: " + why.getMessage()));
  }

  /** Decides no more; the knobs are as they were before. */
  @Override
  public void close() {
    try (lease) {
      loops.forEach(ControlLoop::close);
    }
  }
}
