package org.calando.load.file;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.calando.core.BadRequestException;
import org.calando.core.time.Clock;
import org.calando.core.time.Scheduler;
import org.calando.load.Backlog;
import org.calando.load.EndReason;
import org.jspecify.annotations.Nullable;

/*
 * Operations on files take milliseconds, so one lock for all state costs nothing that could be measured; work itself is
 * done by the session, outside of it. Every call that ends comes back through ended(), which records it and has its part
 * go on; a load that ends begins nothing new but the completion of files, and is over when no call is under way.
 */
/**
 * Puts load on a store of files: reads of pieces, judged by their checksums, and streams of new
 * files. Thread safe.
 */
public final class FileLoad {
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** After a failure, so that a store that refuses at once is not asked without end. */
  private static final long PAUSE_NANOS = SECOND_NANOS / 10;

  /** What goes on after a call, holding the load's lock. */
  @FunctionalInterface
  interface Next {
    void after(boolean succeeded);
  }

  /** Something that begins calls; used with the load's lock held. */
  interface Part {
    /** Begins, at the load's own begin. */
    void begin();

    /** Begins nothing more, but completes what would be left half done. */
    void finish();

    /** Whether it will never begin anything more. */
    boolean isOver();

    /** How far it fell behind. */
    default Backlog backlog() {
      return Backlog.NONE;
    }
  }

  private final FileMix mix;
  private final FileSession session;
  private final Scheduler scheduler;
  private final List<Part> parts = new ArrayList<>();
  private final CountDownLatch done = new CountDownLatch(1);
  private final FileRecorder recorder;
  private int underWay;
  private boolean failing;
  private @Nullable EndReason ending;
  private String message = "";
  private volatile @Nullable FileLoadResult result;

  private FileLoad(FileMix mix, FileCatalog catalog, FileSession session, Scheduler scheduler) {
    this.mix = mix;
    this.session = session;
    this.scheduler = scheduler;
    this.recorder = new FileRecorder(scheduler.clock().nanos(), mix);
    mix.reads().ifPresent(loop -> parts.add(ReadParts.of(this, loop, catalog, mix.seed())));
    mix.writes()
        .ifPresent(
            streams -> {
              for (int i = 0; i < streams.streams(); i++) {
                parts.add(new StreamPart(this, streams, i, catalog));
              }
            });
  }

  /**
   * Begins a load.
   *
   * @param catalog what can be read; files that are completed are added
   * @throws BadRequestException if there is nothing to read, or the session has too few slots
   */
  public static FileLoad start(
      FileMix mix, FileCatalog catalog, FileSession session, Scheduler scheduler) {
    if (mix.reads().isPresent() && catalog.pieces() == 0) {
      throw new BadRequestException("there is no file to read", "file load", "write files first");
    }
    if (session.slots() < mix.slots()) {
      throw new BadRequestException(
          "%d calls at once, and a session for %d".formatted(mix.slots(), session.slots()),
          "file load",
          "");
    }
    FileLoad load = new FileLoad(mix, catalog, session, scheduler);
    load.begin();
    return load;
  }

  private synchronized void begin() {
    scheduler.at(recorder.toNanos(), () -> end(EndReason.DURATION_OVER, "the time is over"));
    scheduler.at(clock().nanos() + SECOND_NANOS, this::watch);
    parts.forEach(Part::begin);
  }

  /** Ends it: what is under way may take as long as after its time. */
  public void stop() {
    end(EndReason.STOPPED, "it was stopped");
  }

  /** What it has done until now. */
  public synchronized FileProgress progress() {
    return recorder.progress();
  }

  /** Whether it is over. */
  public boolean isDone() {
    return result != null;
  }

  /** Waits until it is over. */
  public FileLoadResult await() throws InterruptedException {
    done.await();
    return result();
  }

  /**
   * What it did.
   *
   * @throws IllegalStateException if it is not over
   */
  public FileLoadResult result() {
    FileLoadResult told = result;
    if (told == null) {
      throw new IllegalStateException("the load is not over");
    }
    return told;
  }

  Clock clock() {
    return scheduler.clock();
  }

  boolean isEnding() {
    return ending != null;
  }

  boolean isMeasured(long intendedNanos) {
    return recorder.isMeasured(intendedNanos);
  }

  /** Has a part go on later, unless the load is ending by then. */
  void later(long nanos, Runnable task) {
    scheduler.at(
        nanos,
        () -> {
          synchronized (this) {
            if (ending == null) {
              task.run();
            }
          }
        });
  }

  /** As {@link #later}, after a pause if the last call failed, and at once if not. */
  void goOn(boolean succeeded, Runnable task) {
    if (succeeded) {
      task.run();
    } else {
      later(clock().nanos() + PAUSE_NANOS, task);
    }
  }

  /** Begins a call; the lock is held. */
  void call(FileMeasure measure, long intendedNanos, FileSession.Call call, Next next) {
    underWay++;
    try {
      session.call(call, (bytes, failure) -> ended(measure, intendedNanos, bytes, failure, next));
    } catch (RuntimeException e) {
      underWay--;
      endNow(EndReason.INTERNAL_ERROR, "the session refuses: " + e);
    }
  }

  private synchronized void ended(
      FileMeasure measure,
      long intendedNanos,
      long bytes,
      @Nullable RuntimeException failure,
      Next next) {
    if (isDone()) {
      return;
    }
    underWay--;
    long now = clock().nanos();
    if (failure == null) {
      recorder.success(measure, intendedNanos, now, bytes);
    } else {
      recorder.error(measure, failure);
    }
    failing = failure != null;
    next.after(failure == null);
    if (ending == null && parts.stream().allMatch(Part::isOver)) {
      endNow(EndReason.OPERATIONS_DONE, "all files have been written");
    }
    finishIfIdle(0);
  }

  /** A store that neither answers nor succeeds would keep a load until its end. */
  private synchronized void watch() {
    if (ending != null) {
      return;
    }
    long now = clock().nanos();
    long silence = now - recorder.lastSuccessNanos();
    if (silence >= mix.giveUpNanos() && (underWay > 0 || failing)) {
      endNow(EndReason.NO_SUCCESS, "nothing has succeeded for " + silence / SECOND_NANOS + " s");
      finishIfIdle(0);
    } else {
      scheduler.at(now + SECOND_NANOS, this::watch);
    }
  }

  private synchronized void end(EndReason reason, String why) {
    if (ending == null) {
      endNow(reason, why);
    }
    finishIfIdle(0);
  }

  private void endNow(EndReason reason, String why) {
    if (ending != null) {
      return;
    }
    ending = reason;
    message = why;
    parts.forEach(Part::finish);
    scheduler.at(clock().nanos() + mix.drainNanos(), this::giveUpTheRest);
  }

  private synchronized void giveUpTheRest() {
    finishIfIdle(underWay);
  }

  private void finishIfIdle(int givenUp) {
    if (ending == null || underWay > givenUp || isDone()) {
      return;
    }
    Backlog backlog =
        parts.stream()
            .map(Part::backlog)
            .filter(behind -> !behind.equals(Backlog.NONE))
            .findFirst()
            .orElse(Backlog.NONE);
    result = recorder.result(ending, message, clock().nanos(), givenUp, backlog);
    done.countDown();
  }
}
