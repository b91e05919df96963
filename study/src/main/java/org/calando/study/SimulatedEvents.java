package org.calando.study;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.calando.engine.NodePresence;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.kernel.SimScheduler;
import org.calando.study.EventScript.Done;
import org.calando.studyfile.EventSpec;
import org.calando.studyfile.SimSpec;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a study's events in one simulated run, between the edges of its measured window.
 * Belongs to the simulation's thread.
 */
final class SimulatedEvents {
  private final @Nullable EventScript script;
  private final List<RateSteps.Change> rate;
  private final SimScheduler scheduler;
  private long beginNanos;
  private long endNanos;
  private boolean over;

  SimulatedEvents(StudySpec study, RunConfig run, SimCluster cluster, SimScheduler scheduler) {
    this.rate = RateSteps.of(run);
    this.scheduler = scheduler;
    this.script =
        study.events().isEmpty()
            ? null
            : new EventScript(
                study.events(),
                SimSpec.of(study.store()).orElseThrow().linkDelay(),
                new SimulatedControl(cluster),
                NodePresence.IGNORED,
                scheduler.clock()::nanos);
  }

  /** The measured window begins now. */
  void begin() {
    beginNanos = scheduler.clock().nanos();
    endNanos = beginNanos;
    if (script != null) {
      script.begin(beginNanos);
      step(script);
    }
  }

  private void step(EventScript steps) {
    if (over) {
      return;
    }
    long next = steps.step();
    if (next != EventScript.NEVER) {
      scheduler.at(next, () -> step(steps));
    }
  }

  /** The measured window ends now; nothing happens any more. */
  void end() {
    endNanos = scheduler.clock().nanos();
    over = true;
  }

  /** Why the run failed, if an event did not happen before the window's end. */
  Optional<String> failure() {
    List<EventSpec> left = script == null ? List.of() : script.left();
    return left.stream()
        .findFirst()
        .map(event -> "the event " + event.label() + " was not carried out before the run's end");
  }

  /** What was done, as events.csv has it; empty where nothing changes by order. */
  Optional<String> csv() {
    List<Done> done = new ArrayList<>(script == null ? List.of() : script.done());
    for (RateSteps.Change change : rate) {
      // The load begins with the simulation.
      if (change.atNanos() >= beginNanos && change.atNanos() < endNanos) {
        done.add(new Done((change.atNanos() - beginNanos) / 1e9, change.event()));
      }
    }
    done.sort(Comparator.comparingDouble(Done::second));
    return script == null && done.isEmpty() ? Optional.empty() : Optional.of(EventScript.csv(done));
  }
}
