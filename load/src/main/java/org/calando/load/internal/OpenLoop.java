package org.calando.load.internal;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.calando.core.workload.OperationStream;
import org.calando.load.ArrivalProcess;
import org.calando.load.Backlog;
import org.calando.load.EndReason;
import org.calando.load.LoadSpec;
import org.calando.load.Loop;
import org.calando.load.Phase;

/*
 * One stream of arrivals, one of operations, one pump. The pump starts every operation that is due
 * while a slot is free, then arms a timer for the next arrival. It runs on the scheduler's thread
 * when the timer fires, and on a completing thread when a slot becomes free. A counter of signals
 * keeps it to one thread at a time: whoever raises it from 0 pumps, and goes on until no signal has
 * come meanwhile; the others leave their signal and go. So arrivals, operations and clients are a
 * function of the seed whatever the store does, no thread waits for another, and a session that
 * completes at once does not recurse.
 *
 * A completing thread is the driver's and has answers of others to take, so a turn of the pump ends
 * after a few starts and the timer, which is overdue then, goes on with the rest.
 *
 * Nothing queues: an arrival that finds no slot stays the stream's next one, and keeps its intended
 * time, until a slot is free.
 */
/** Operations start at the times of an arrival process. Thread safe. */
final class OpenLoop implements Source {
  private static final long NONE = ArrivalProcess.NONE;
  private static final int MOST_STARTS = 8;

  private final Run run;
  private final int clients;
  private final ArrivalProcess.Arrivals arrivals;
  private final OperationStream operations;
  private final SplittableRandom random;
  private final SlotStack free;
  private final AtomicInteger signals = new AtomicInteger();
  private final AtomicBoolean armed = new AtomicBoolean();
  private final Runnable timer = this::onTimer;

  // The rest belongs to the pump.
  private long intendedNanos;
  private int startsLeft;
  private boolean closed;
  private int place = Window.WARMUP;
  private long startNanos;
  private long intended;
  private long late;
  private long maxLateNanos;
  private long neverStarted;

  OpenLoop(Run run, LoadSpec spec, Loop.Open open) {
    this.run = run;
    this.clients = open.clients();
    SplittableRandom seeds = new SplittableRandom(spec.seed());
    this.arrivals = open.arrivals().begin(seeds.nextLong());
    this.random = new SplittableRandom(seeds.nextLong());
    this.operations = new OperationStream(spec.workload(), spec.inserts(), spec.seed(), 0);
    this.free = new SlotStack(open.maxInFlight());
  }

  @Override
  public void start() {
    run.acquire();
    startNanos = run.startNanos();
    advance();
    wake();
  }

  @Override
  public boolean next(Slot slot) {
    slot.rest();
    free.push(slot.index());
    run.release();
    wake();
    return false;
  }

  @Override
  public boolean pausesAfterFailures() {
    return false;
  }

  @Override
  public void wake() {
    if (signals.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    startsLeft = MOST_STARTS;
    do {
      try {
        pump();
      } catch (Throwable e) {
        run.fail(e);
        close();
      }
      seen = signals.addAndGet(-seen);
    } while (seen != 0);
  }

  @Override
  public Backlog backlog() {
    return new Backlog(intended, late, maxLateNanos, neverStarted);
  }

  private void onTimer() {
    armed.set(false);
    wake();
  }

  private void pump() {
    while (!closed) {
      long now = run.clock().nanos();
      if (run.isEnding()) {
        countNeverStarted(now);
        close();
      } else if (place == Window.FULL) {
        run.end(EndReason.OPERATIONS_DONE);
      } else if (place == Window.OVER || now < intendedNanos) {
        if (!endIfNothingCanCome(now)) {
          arm();
          return;
        }
      } else if (startsLeft == 0) {
        arm();
        return;
      } else if (!startOne(now)) {
        if (now < run.windowToNanos()) {
          return;
        }
        run.end(EndReason.DURATION_OVER);
      }
    }
  }

  private boolean endIfNothingCanCome(long now) {
    if (now >= run.windowToNanos()) {
      run.end(EndReason.DURATION_OVER);
      return true;
    }
    // With a window's end to come, the run lasts until then, arrivals or not.
    if (intendedNanos == NONE && run.windowToNanos() == NONE) {
      run.end(EndReason.ARRIVALS_EXHAUSTED);
      return true;
    }
    return false;
  }

  /** Starts the operation that is due, if a slot is free. */
  private boolean startOne(long now) {
    int index = free.pop();
    if (index < 0) {
      return false;
    }
    long delay = now - intendedNanos;
    if (place == Window.MEASURED) {
      intended++;
      late += delay > Backlog.LATE_NANOS ? 1 : 0;
      maxLateNanos = Math.max(maxLateNanos, delay);
    }
    Slot slot = run.slot(index);
    operations.next(slot.operation());
    Phase phase = place == Window.MEASURED ? Phase.MEASURED : Phase.WARMUP;
    slot.begin(phase, random.nextInt(clients), intendedNanos);
    advance();
    startsLeft--;
    run.acquire();
    slot.drive();
    return true;
  }

  /** Moves on to the next arrival. */
  private void advance() {
    long relative = arrivals.nextNanos();
    if (relative == NONE) {
      intendedNanos = NONE;
      place = Window.OVER;
    } else {
      intendedNanos = startNanos + relative;
      place = run.admit(intendedNanos);
    }
  }

  private void arm() {
    if (place != Window.OVER && armed.compareAndSet(false, true)) {
      run.scheduler().at(intendedNanos, timer);
    }
  }

  private void countNeverStarted(long now) {
    while (place == Window.MEASURED && intendedNanos <= now) {
      intended++;
      neverStarted++;
      advance();
    }
  }

  private void close() {
    if (!closed) {
      closed = true;
      run.release();
    }
  }
}
