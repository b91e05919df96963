package org.calando.governor;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.calando.control.ControlLoop;
import org.calando.control.DecisionJournal;
import org.calando.control.HeldGear;
import org.calando.control.LocalSeconds;
import org.calando.control.LoopListener;
import org.calando.control.order.KnobOrders;
import org.calando.core.policy.Controller;
import org.calando.core.time.RealTimeScheduler;
import org.calando.engine.NodeGears;
import org.calando.engine.ShiftGovernor;
import org.jspecify.annotations.Nullable;

/**
 * A policy that shifts a real cluster's gear, from where its last decision ended, with the threads
 * that this takes. Gears are durable: they stay when it is closed. Thread safe.
 */
final class GearLoop implements AutoCloseable {
  private final RealTimeScheduler scheduler = new RealTimeScheduler("calando-governor");
  private final ShiftThread executor;
  private @Nullable ControlLoop<?> loop;

  /**
   * How it is governed. Immutable.
   *
   * @param periodNanos from one look to the next
   * @param onFailure what a shift that failed does, also of a plan that is resumed
   * @param dryRun whether nothing is shifted
   * @param decisions folder of decisions, from where it resumes
   */
  record Way(long periodNanos, HeldGear.OnFailure onFailure, boolean dryRun, Path decisions) {}

  private GearLoop(Consumer<String> news) {
    this.executor = new ShiftThread(news);
  }

  /**
   * Begins.
   *
   * @param gears stay open
   * @param journal hears of decisions
   * @param looks hears of shifts
   * @param orders what operators order of the gear
   * @param news takes lines for people, from any thread
   */
  static GearLoop start(
      NodeGears gears,
      Controller<?> policy,
      Way way,
      LoopListener journal,
      HeldGear.Listener looks,
      KnobOrders orders,
      Consumer<String> news) {
    GearLoop started = new GearLoop(news);
    boolean begun = false;
    try {
      ShiftGovernor governor =
          new ShiftGovernor(gears, started.scheduler, started.executor, LocalSeconds::now);
      started.loop = loop(gears, governor, policy, way, journal, looks, orders, news);
      begun = true;
      return started;
    } finally {
      if (!begun) {
        started.close();
      }
    }
  }

  private static <S> ControlLoop<S> loop(
      NodeGears gears,
      ShiftGovernor governor,
      Controller<S> policy,
      Way way,
      LoopListener journal,
      HeldGear.Listener looks,
      KnobOrders orders,
      Consumer<String> news) {
    if (way.dryRun()) {
      gears
          .unfinished()
          .ifPresent(
              to -> news.accept("there is an unfinished plan" + to + ", which would be resumed"));
    }
    DecisionJournal.Resumed<S> resumed =
        DecisionJournal.resume(way.decisions(), policy, gears.target());
    news.accept(policy.name() + ' ' + resumed.words());
    return governor
        .loop(resumed.loop(), way.periodNanos(), way.onFailure(), way.dryRun(), looks, orders)
        .listener(journal)
        .start();
  }

  /** Ends when it is closed, or, exceptionally, with why nothing is decided any more. */
  CompletionStage<Void> end() {
    return Optional.ofNullable(loop).orElseThrow().end();
  }

  /** Why nothing is decided any more, though it was not closed. */
  Optional<Throwable> failure() {
    return Optional.<ControlLoop<?>>ofNullable(loop).flatMap(ControlLoop::failure);
  }

  /** Decides no more; a shift that is under way is interrupted and waited for: its plan is open. */
  @Override
  public void close() {
    try (scheduler;
        executor) {
      if (loop != null) {
        loop.close();
      }
    }
  }
}
