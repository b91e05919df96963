package org.calando.load.internal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.calando.core.store.Session;
import org.calando.core.time.Clock;
import org.calando.core.time.Scheduler;
import org.calando.core.workload.StalenessOracle;
import org.calando.load.EndReason;
import org.calando.load.LoadResult;
import org.calando.load.LoadSpec;
import org.calando.load.Loop;
import org.calando.load.Recorder;
import org.jspecify.annotations.Nullable;

/*
 * The life of a run: begin, end (no operation starts any more), drained (none is under way), done.
 * Whatever may still start or end an operation holds a token: each busy slot, and the open loop's
 * source. Who gives the last token back has the session send what it has deferred, and finishes the
 * run. The drain's deadline takes the tokens of slots that are unanswered, and a session gives up its
 * sending some time, so the run finishes whatever the store does.
 *
 * A window that ends by time lasts until what it deferred by then is on the store: that sending has a
 * token too, and begins with the end, so that an unanswered operation does not make the window longer.
 */
/** What the slots, the source and the timers of one run share. Thread safe. */
public final class Run {
  private static final long STOP_DRAIN_NANOS = 1_000_000_000L;

  private final LoadSpec spec;
  private final Session session;
  private final StalenessOracle oracle;
  private final Recorder recorder;
  private final Scheduler scheduler;
  private final Scheduler housekeeping;
  private final Clock clock;
  private final Window window;
  private final Slot[] slots;
  private final Source source;
  private final AtomicInteger tokens = new AtomicInteger();
  private final AtomicReference<@Nullable EndReason> reason = new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final AtomicReference<@Nullable LoadResult> result = new AtomicReference<>();
  private final AtomicBoolean windowNoticed = new AtomicBoolean();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final CountDownLatch done = new CountDownLatch(1);
  private final Ticker ticker;
  private volatile long startNanos;
  private volatile long endedNanos;
  private volatile boolean expired;
  private volatile long flushedNanos = Long.MIN_VALUE;
  private volatile long windowFlushedNanos = Long.MIN_VALUE;

  /** A run that has not begun. */
  public Run(
      LoadSpec spec,
      Session session,
      StalenessOracle oracle,
      Recorder recorder,
      Scheduler scheduler,
      Scheduler housekeeping) {
    this.spec = spec;
    this.session = session;
    this.oracle = oracle;
    this.recorder = recorder;
    this.scheduler = scheduler;
    this.housekeeping = housekeeping;
    this.clock = scheduler.clock();
    this.window = new Window(spec);
    this.ticker = new Ticker(this, recorder, housekeeping, spec.giveUpNanos());
    this.slots = new Slot[spec.loop().slots()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Slot(i, this);
    }
    this.source =
        spec.loop() instanceof Loop.Open open
            ? new OpenLoop(this, spec, open)
            : new ClosedLoop(this, spec);
  }

  /** Begins now; to be called once. */
  public void begin() {
    startNanos = clock.nanos();
    window.begin(startNanos);
    recorder.begin(startNanos);
    ticker.begin(startNanos);
    if (window.beginsByTime()) {
      noticeWindow();
    }
    scheduler.at(startNanos, this::startSource);
  }

  private void startSource() {
    try {
      source.start();
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Lets no operation start any more; the first reason given stays. */
  void end(EndReason why) {
    boolean flushes = why == EndReason.DURATION_OVER && tryAcquire();
    if (!reason.compareAndSet(null, why)) {
      if (flushes) {
        release();
      }
      return;
    }
    long now = clock.nanos();
    endedNanos = now;
    long drainNanos =
        why.isComplete() ? spec.drainNanos() : Math.min(spec.drainNanos(), STOP_DRAIN_NANOS);
    try {
      if (!flushes && why != EndReason.OPERATIONS_DONE && why != EndReason.ARRIVALS_EXHAUSTED) {
        housekeeping.at(now, this::tellOfEnd);
      }
      housekeeping.at(now + drainNanos, this::expire);
    } catch (RejectedExecutionException e) {
      // A scheduler that was closed under the run leaves nobody to end the drain later.
      failure.compareAndSet(null, e);
      expire();
    }
    if (flushes) {
      flushWindow();
    }
    source.wake();
  }

  /** Has the session send what the window has deferred; the token of that is taken already. */
  private void flushWindow() {
    boolean waits;
    try {
      waits =
          session.flush(
              () -> {
                windowFlushedNanos = clock.nanos();
                windowFlushed();
              });
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
      waits = false;
    }
    if (!waits) {
      windowFlushed();
    }
  }

  private void windowFlushed() {
    try {
      housekeeping.at(clock.nanos(), this::tellOfEnd);
    } catch (RejectedExecutionException e) {
      failure.compareAndSet(null, e);
    } finally {
      release();
    }
  }

  /** The window is over before the last answer, unless a number of operations makes it end. */
  private void tellOfEnd() {
    try {
      ticker.measurementEnded(Math.max(windowFlushedNanos, Math.min(endedNanos, window.toNanos())));
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Ends the run because its user wishes so. */
  public void stop() {
    end(EndReason.STOPPED);
  }

  /** Ends the run because of a defect. */
  void fail(Throwable e) {
    failure.compareAndSet(null, e);
    end(EndReason.INTERNAL_ERROR);
  }

  private void expire() {
    expired = true;
    for (Slot slot : slots) {
      slot.abandon();
    }
  }

  void acquire() {
    tokens.getAndIncrement();
  }

  /** Takes a token while any is held; without one the run is finishing, or has. */
  private boolean tryAcquire() {
    return tokens.getAndUpdate(held -> held > 0 ? held + 1 : held) > 0;
  }

  void release() {
    if (tokens.decrementAndGet() == 0) {
      flush();
    }
  }

  /** Writes that are acknowledged and not on the store are part of the run's work. */
  private void flush() {
    boolean waits;
    try {
      waits =
          session.flush(
              () -> {
                flushedNanos = clock.nanos();
                finish();
              });
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
      waits = false;
    }
    if (!waits) {
      finish();
    }
  }

  /**
   * When what was deferred at the end of a window by time was answered; Long.MIN_VALUE if none was.
   */
  long windowFlushedNanos() {
    return windowFlushedNanos;
  }

  /** When the last deferred write was answered; Long.MIN_VALUE if none was left at the end. */
  long flushedNanos() {
    return flushedNanos;
  }

  private void finish() {
    try {
      long now = clock.nanos();
      ticker.drained(now);
      recorder.last(now);
      EndReason why = reason.get();
      LoadResult finished = Results.of(this, why == null ? EndReason.INTERNAL_ERROR : why);
      ticker.measurementEnded(finished.measuredToNanos());
      ticker.end();
      result.set(finished);
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    } finally {
      done.countDown();
    }
  }

  /** Takes a place for an operation; see {@link Window#admit}. */
  int admit(long nanos) {
    int place = window.admit(nanos);
    if (place == Window.MEASURED && !windowNoticed.get()) {
      noticeWindow();
    }
    return place;
  }

  /** Begins the measured window, unless it has begun or no operation may start any more. */
  public void measure() {
    if (!isEnding() && window.begins(clock.nanos())) {
      noticeWindow();
    }
  }

  private void noticeWindow() {
    if (!windowNoticed.compareAndSet(false, true)) {
      return;
    }
    housekeeping.at(window.fromNanos(), ticker::measurementBegan);
    if (window.toNanos() != Long.MAX_VALUE) {
      scheduler.at(window.toNanos(), source::wake);
    }
  }

  /** Whether no operation may start any more. */
  boolean isEnding() {
    return reason.get() != null;
  }

  /** Tells of the end of a measured operation that may be the last. */
  void measuredEnded(long nanos) {
    if (window.isFull() || isEnding()) {
      recorder.mayHaveEnded(nanos);
    }
  }

  /** Whether the drain's deadline has passed. */
  boolean isExpired() {
    return expired;
  }

  /** Whether the measured window is over by time. */
  boolean isWindowOver() {
    return clock.nanos() >= window.toNanos();
  }

  /** Whether the measured window had begun at a time. */
  boolean hasMeasurementBegun(long nanos) {
    return window.hasBegin() && window.fromNanos() <= nanos;
  }

  long windowToNanos() {
    return window.toNanos();
  }

  /** Whether an operation is under way or pauses. */
  boolean isBusy() {
    for (Slot slot : slots) {
      if (slot.isBusy()) {
        return true;
      }
    }
    return false;
  }

  /** Released when the run is done. */
  public CountDownLatch done() {
    return done;
  }

  /** What the run did; null until it is done, or if it failed by a defect. */
  public @Nullable LoadResult result() {
    return result.get();
  }

  /** The defect that ended the run, or null. */
  public @Nullable Throwable failure() {
    return failure.get();
  }

  LoadSpec spec() {
    return spec;
  }

  Session session() {
    return session;
  }

  StalenessOracle oracle() {
    return oracle;
  }

  Recorder recorder() {
    return recorder;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Clock clock() {
    return clock;
  }

  Window window() {
    return window;
  }

  Source source() {
    return source;
  }

  Slot slot(int index) {
    return slots[index];
  }

  Slot[] slots() {
    return slots;
  }

  long startNanos() {
    return startNanos;
  }

  long endedNanos() {
    return endedNanos;
  }

  void countUnanswered() {
    unanswered.incrementAndGet();
  }

  int unanswered() {
    return unanswered.get();
  }
}
