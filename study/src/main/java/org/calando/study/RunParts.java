package org.calando.study;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.calando.core.time.RealTimeScheduler;
import org.calando.knob.RunPart;
import org.calando.load.Interval;
import org.calando.report.column.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a run in the order in which they began: each encloses those after it, at the edges
 * of the measured window too. No part is added any more once the load goes.
 */
final class RunParts implements RunPart {
  private final List<RunPart> parts = new ArrayList<>();
  private final Deque<Closing> open = new ArrayDeque<>();

  /** Those of no run yet, for what is closed after all of them. */
  RunParts() {}

  /** The parts of a run whose files, which come first, are somebody else's to close. */
  RunParts(RunFiles files) {
    parts.add(files);
  }

  /** Ends something. */
  interface Closing extends AutoCloseable {
    @Override
    void close();
  }

  /** Adds a part, which is closed with these; null is none. */
  void add(@Nullable RunPart part) {
    if (part != null) {
      parts.add(part);
      closes(part::close);
    }
  }

  /** Has something that is no part closed with these, before what began before it. */
  void closes(Closing closing) {
    open.push(closing);
  }

  /** A scheduler of the run's own. */
  RealTimeScheduler scheduler(String name) {
    RealTimeScheduler scheduler = new RealTimeScheduler(name);
    closes(scheduler::close);
    return scheduler;
  }

  /** The part of a kind; empty if the run has none. */
  <P extends RunPart> Optional<P> find(Class<P> kind) {
    return parts.stream().filter(kind::isInstance).map(kind::cast).findFirst();
  }

  @Override
  public void loadBegins(long nanos) {
    parts.forEach(part -> part.loadBegins(nanos));
  }

  @Override
  public void interval(Interval interval) {
    parts.forEach(part -> part.interval(interval));
  }

  @Override
  public void measurementBegan(long nanos) {
    parts.forEach(part -> part.measurementBegan(nanos));
  }

  @Override
  public void mayHaveEnded(long nanos) {
    parts.forEach(part -> part.mayHaveEnded(nanos));
  }

  @Override
  public void measurementEnded(long nanos) {
    for (int i = parts.size() - 1; i >= 0; i--) {
      parts.get(i).measurementEnded(nanos);
    }
  }

  @Override
  public void end() throws InterruptedException {
    for (RunPart part : parts) {
      part.end();
    }
  }

  @Override
  public void record(RunRecord found) {
    parts.forEach(part -> part.record(found));
  }

  /** Closes all, the last first, whatever of it fails. */
  @Override
  public void close() {
    Closing last = open.poll();
    if (last != null) {
      Closing others = this::close;
      try (others) {
        last.close();
      }
    }
  }
}
