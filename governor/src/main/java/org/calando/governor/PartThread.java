package org.calando.governor;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/*
 * A connect may hang for as long as a driver likes, and cannot be interrupted: half of what it opened would stay. So an
 * end waits for what is open, as knobs go back, and for what is being opened a moment only: its thread closes it as soon
 * as it is, or the process ends before, and the guard restores.
 */
/**
 * A part of what is done to a cluster, on a thread of its own: opened, looked after, opened again,
 * and closed at the end. Thread safe.
 */
final class PartThread<T> {
  private static final long LOOK_NANOS = 200_000_000L;

  /** So long most parts take to end, at most. */
  static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long OPENING_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final String name;
  private final Retried<T> part;
  private final Runnable looked;
  private final long closeNanos;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CompletableFuture<Optional<BadRequestException>> first = new CompletableFuture<>();
  private volatile @Nullable RuntimeException closing;
  private boolean started;
  private long stoppedNanos;

  /**
   * A part that has not begun.
   *
   * @param name of the cluster and the part, for people
   * @param looked is run after each look, on the part's thread
   * @param closeNanos so long its end is waited for
   */
  PartThread(String name, Retried<T> part, Runnable looked, long closeNanos) {
    this.closeNanos = closeNanos;
    this.name = name;
    this.part = part;
    this.looked = looked;
  }

  /** Begins, unless it was asked to end before; does not wait. */
  synchronized void start() {
    if (stop.getCount() == 0) {
      return;
    }
    started = true;
    var unused = DaemonThread.start("calando-" + name.replace(' ', '-'), this::run);
  }

  /** Completes when it has been opened or that has failed once: why a file's wish is refused. */
  CompletableFuture<Optional<BadRequestException>> first() {
    return first;
  }

  private void run() {
    try {
      first.complete(begin());
      do {
        part.tick();
        looked.run();
      } while (!stop.await(LOOK_NANOS, TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      closing = new IllegalStateException("the thread of " + name + " ended: " + e, e);
      throw e;
    } finally {
      end();
    }
  }

  private Optional<BadRequestException> begin() throws InterruptedException {
    try {
      part.begin();
      return Optional.empty();
    } catch (BadRequestException e) {
      part.failed(e);
      return Optional.of(e);
    } catch (RuntimeException | Error e) {
      part.failed(e);
      return Optional.empty();
    }
  }

  private void end() {
    try {
      part.close();
    } catch (RuntimeException e) {
      closing = e;
    } catch (Error e) {
      closing = new IllegalStateException("ending " + name + " failed: " + e, e);
      throw e;
    } finally {
      ended.countDown();
      first.complete(Optional.empty());
    }
  }

  /** Why it failed last; empty if it never did. */
  Optional<Throwable> failure() {
    return part.failure();
  }

  /** How it stands. */
  ClusterState.Part state() {
    return part.state();
  }

  /** Whether its thread goes on, or has not begun. */
  boolean isAlive() {
    return ended.getCount() > 0;
  }

  /** Asks it to end; does not wait. */
  synchronized void stop() {
    if (stop.getCount() > 0) {
      stoppedNanos = System.nanoTime();
      stop.countDown();
    }
    if (!started) {
      ended.countDown();
    }
  }

  private synchronized long sinceStopNanos() {
    return System.nanoTime() - stoppedNanos;
  }

  /**
   * Ends it, and waits for that.
   *
   * @throws FailedWorkException if it does not end in time
   * @throws RuntimeException what its end has thrown
   */
  void close() {
    stop();
    try {
      while (!ended.await(LOOK_NANOS, TimeUnit.NANOSECONDS)) {
        if (part.isOpening() && sinceStopNanos() > OPENING_NANOS) {
          return;
        }
        if (sinceStopNanos() > closeNanos) {
          throw unended("did not end in time");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unended("was not waited for");
    }
    RuntimeException failed = closing;
    if (failed != null) {
      throw failed;
    }
  }

  private FailedWorkException unended(String what) {
    return new FailedWorkException(
        what, name, "see ./calando restore, which restores what is leased");
  }
}
