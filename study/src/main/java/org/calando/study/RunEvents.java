package org.calando.study;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.calando.control.file.AtomicFiles;
import org.calando.core.time.Scheduler;
import org.calando.engine.ClusterControl;
import org.calando.engine.NodePresence;
import org.calando.engine.StoreSpec;
import org.calando.knob.RunPart;
import org.calando.report.column.RunRecord;
import org.calando.study.event.ClusterWatch;
import org.calando.study.event.EventScript;
import org.calando.study.event.EventScript.Done;
import org.calando.studyfile.EventSpec;
import org.calando.studyfile.sim.SimSpec;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a study's events in one run, on a scheduler of its own, between the edges of the
 * measured window: the load never waits for it. An event that cannot be carried out, or that the
 * run does not reach, fails the run. Thread safe.
 */
final class RunEvents implements RunPart {
  /** A node that does not end by itself is killed after 20 s, and gone soon after. */
  private static final long JOIN_SECONDS = 40;

  private final @Nullable EventScript script;
  private final List<RateSteps.Change> rate;
  private final Scheduler scheduler;
  private final ClusterWatch cluster;
  private final RunFiles files;
  private final ReentrantLock underWay = new ReentrantLock();
  private volatile boolean over;
  private volatile long loadNanos;
  private volatile long beginNanos;
  private volatile long endNanos;

  RunEvents(
      @Nullable EventScript script,
      List<RateSteps.Change> rate,
      Scheduler scheduler,
      ClusterWatch cluster,
      RunFiles files) {
    this.script = script;
    this.rate = rate;
    this.scheduler = scheduler;
    this.cluster = cluster;
    this.files = files;
  }

  /**
   * The events of a run that has not begun, whose rate may change by steps.
   *
   * @param control gives what changes the cluster; asked only if the study has events
   * @param presence is told of nodes that end and come back
   * @param scheduler whose tasks are events only, or simulated; stays open
   */
  static RunEvents of(
      RunTask task, Supplier<ClusterControl> control, NodePresence presence, Scheduler scheduler) {
    List<EventSpec> events = task.study().events();
    StoreSpec store = task.study().store();
    EventScript script =
        events.isEmpty()
            ? null
            : new EventScript(
                events,
                SimSpec.of(store)
                    .map(SimSpec::linkDelay)
                    .orElseGet(() -> store.local().orElseThrow().linkDelay()),
                control.get(),
                presence,
                scheduler.clock()::nanos);
    return new RunEvents(script, RateSteps.of(task.run()), scheduler, task.cluster(), task.files());
  }

  @Override
  public void loadBegins(long nanos) {
    loadNanos = nanos;
  }

  @Override
  public void measurementBegan(long nanos) {
    beginNanos = nanos;
    endNanos = nanos;
    if (script != null && !over) {
      script.begin(nanos);
      scheduler.at(nanos, () -> step(script));
    }
  }

  private void step(EventScript steps) {
    underWay.lock();
    try {
      long next = over ? EventScript.NEVER : steps.step();
      if (next != EventScript.NEVER && !over) {
        scheduler.at(next, () -> step(steps));
      }
    } catch (RuntimeException | Error e) {
      cluster.failed(String.valueOf(e.getMessage()));
    } finally {
      underWay.unlock();
    }
  }

  /** Lets no event begin any more. */
  @Override
  public void measurementEnded(long nanos) {
    endNanos = nanos;
    over = true;
  }

  /** Waits for an event that is being carried out. */
  @Override
  public void end() throws InterruptedException {
    over = true;
    if (underWay.tryLock(JOIN_SECONDS, TimeUnit.SECONDS)) {
      underWay.unlock();
    }
  }

  @Override
  public void record(RunRecord found) {
    List<EventSpec> left = script == null ? List.of() : script.left();
    if (!left.isEmpty()) {
      found.fail("the event " + left.get(0).label() + " was not carried out before the run's end");
    }
  }

  /**
   * Ends and writes what was done. The cluster stays as the last event left it until {@link
   * org.calando.engine.Target#heal}.
   *
   * @throws org.calando.core.FailedWorkException if the file cannot be written
   */
  @Override
  public void close() {
    try {
      end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<Done> done = done();
    if (script != null || !done.isEmpty()) {
      AtomicFiles.write(files.folder().resolve("events.csv"), EventScript.csv(done));
    }
  }

  /** What was done, and the steps of the rate that fell into the measured window, by time. */
  private List<Done> done() {
    List<Done> done = new ArrayList<>(script == null ? List.of() : script.done());
    for (RateSteps.Change change : rate) {
      long atNanos = loadNanos + change.atNanos();
      if (atNanos - beginNanos >= 0 && atNanos - endNanos < 0) {
        done.add(new Done((atNanos - beginNanos) / 1e9, change.event()));
      }
    }
    done.sort(Comparator.comparingDouble(Done::second));
    return done;
  }
}
