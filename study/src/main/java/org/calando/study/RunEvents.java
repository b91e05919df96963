package org.calando.study;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.calando.control.file.AtomicFiles;
import org.calando.core.BadRequestException;
import org.calando.core.time.SystemClock;
import org.calando.engine.ClusterControl;
import org.calando.engine.NodePresence;
import org.calando.engine.Target;
import org.calando.load.Interval;
import org.calando.load.IntervalListener;
import org.calando.study.EventScript.Done;
import org.calando.studyfile.EventSpec;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a study's events in one run, on a daemon thread of its own that begins and ends with
 * the measured window: the load never waits for it. An event that cannot be carried out fails the
 * run. Thread safe.
 */
final class RunEvents implements AutoCloseable {
  /** A node that does not end by itself is killed after 20 s, and gone soon after. */
  private static final long JOIN_MILLIS = 40_000;

  private final @Nullable EventScript script;
  private final ClusterWatch cluster;
  private final RunFiles files;
  private final List<RateSteps.Change> rate;
  private @Nullable Thread thread;
  private long loadNanos;
  private long beginNanos;
  private long endNanos;
  private boolean over;

  RunEvents(
      @Nullable EventScript script,
      List<RateSteps.Change> rate,
      ClusterWatch cluster,
      RunFiles files) {
    this.script = script;
    this.rate = rate;
    this.cluster = cluster;
    this.files = files;
  }

  /**
   * The events of a run that has not begun.
   *
   * @param run whose rate may change by steps
   * @param presence is told of nodes that end and come back
   * @param cluster is told of events that fail
   * @param files of the run, among which events.csv goes if anything changes
   */
  static RunEvents of(
      StudySpec study,
      RunConfig run,
      Target target,
      NodePresence presence,
      ClusterWatch cluster,
      RunFiles files) {
    List<RateSteps.Change> rate = RateSteps.of(run);
    if (study.events().isEmpty()) {
      return new RunEvents(null, rate, cluster, files);
    }
    ClusterControl control =
        target
            .control()
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "events happen to a local cluster only", "events", "remove them"));
    EventScript script =
        new EventScript(
            study.events(),
            study.store().local().orElseThrow().linkDelay(),
            control,
            presence,
            SystemClock.INSTANCE::nanos);
    return new RunEvents(script, rate, cluster, files);
  }

  /**
   * A listener that knows from the recorder when the window begins and ends, and passes all on; to
   * be made when the load begins.
   */
  IntervalListener alongside(IntervalListener listener) {
    synchronized (this) {
      loadNanos = SystemClock.INSTANCE.nanos();
    }
    return new IntervalListener() {
      @Override
      public void interval(Interval interval) {
        listener.interval(interval);
      }

      @Override
      public void measurementBegan(long nanos) {
        begin(nanos);
        listener.measurementBegan(nanos);
      }

      @Override
      public void measurementEnded(long nanos) {
        end(nanos);
        listener.measurementEnded(nanos);
      }
    };
  }

  private synchronized void begin(long nanos) {
    beginNanos = nanos;
    endNanos = nanos;
    if (script != null && !over) {
      script.begin(nanos);
      Thread starting = new Thread(() -> follow(script), "calando-events");
      starting.setDaemon(true);
      starting.start();
      thread = starting;
    }
  }

  private void follow(EventScript steps) {
    try {
      long next = steps.step();
      while (awaitUntil(next)) {
        next = steps.step();
      }
    } catch (InterruptedException e) {
      // Nobody interrupts this thread, but then there is nothing more to do.
    } catch (RuntimeException | Error e) {
      cluster.failed(String.valueOf(e.getMessage()));
    }
  }

  /** Waits, and returns false if the window is over, or nothing is left to be waited for. */
  private synchronized boolean awaitUntil(long nanos) throws InterruptedException {
    while (!over && nanos != EventScript.NEVER) {
      long leftNanos = nanos - SystemClock.INSTANCE.nanos();
      if (leftNanos <= 0) {
        return true;
      }
      TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
    }
    return false;
  }

  private synchronized void end(long nanos) {
    endNanos = nanos;
    finish();
  }

  /** Lets no event begin any more. */
  private synchronized void finish() {
    over = true;
    notifyAll();
  }

  /** Ends with the load, and waits for an event that is being carried out. */
  private void join() throws InterruptedException {
    finish();
    @Nullable Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null) {
      running.join(JOIN_MILLIS);
    }
  }

  /**
   * Ends with a load that went to its end, in which all events must have happened; those that have
   * not fail the run.
   */
  void requireAllDone() throws InterruptedException {
    join();
    List<EventSpec> left = script == null ? List.of() : script.left();
    if (!left.isEmpty()) {
      cluster.failed(
          "the event " + left.get(0).label() + " was not carried out before the run's end");
    }
  }

  /**
   * Ends and writes what was done. The cluster stays as the last event left it until {@link
   * Target#heal}.
   *
   * @throws org.calando.core.FailedWorkException if the file cannot be written
   */
  @Override
  public void close() {
    try {
      join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<Done> done = done();
    if (script != null || !done.isEmpty()) {
      AtomicFiles.write(files.folder().resolve("events.csv"), EventScript.csv(done));
    }
  }

  /** What was done, and the steps of the rate that fell into the measured window, by time. */
  private synchronized List<Done> done() {
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
