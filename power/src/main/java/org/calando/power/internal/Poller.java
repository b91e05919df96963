package org.calando.power.internal;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.core.time.DaemonThread;
import org.calando.power.MeterException;
import org.calando.power.Refresh;
import org.calando.power.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Asks many instruments at once, on a bounded number of daemon threads; each has at most one
 * question open, so that a slow one neither delays the others nor piles up questions. Thread safe.
 *
 * @param <T> an answer
 */
public final class Poller<T> implements AutoCloseable {
  private static final int MOST_THREADS = 32;

  private final List<Line<T>> lines = new ArrayList<>();
  private final ThreadPoolExecutor threads;
  private final Ticker ticker;
  private final ThreadMXBean cpu = ManagementFactory.getThreadMXBean();
  private final AtomicLong ownCpuNanos = new AtomicLong();
  private int open;

  /** Asks one instrument once. */
  @FunctionalInterface
  public interface Question<T> {
    T ask(long deadlineNanos) throws MeterException, InterruptedException;
  }

  /**
   * The newest answer of an instrument.
   *
   * @param number counts answers, failures included; 0 before the first
   * @param value what it said, or null where it said nothing
   * @param problem why not
   * @param late true if a question is open whose deadline has passed
   */
  public record Answer<T>(
      long number, @Nullable T value, @Nullable MeterException problem, boolean late) {}

  private static final class Line<T> {
    final Question<T> question;
    boolean open;
    long deadlineNanos;
    long number;
    @Nullable T value;
    @Nullable MeterException problem;

    Line(Question<T> question) {
      this.question = question;
    }
  }

  /**
   * A poller that has asked nothing.
   *
   * @param name begins the threads' names
   * @param questions one for each instrument
   * @param ticker clock of the deadlines
   */
  public Poller(String name, List<Question<T>> questions, Ticker ticker) {
    this.ticker = ticker;
    questions.forEach(question -> lines.add(new Line<>(question)));
    int most = Math.max(1, Math.min(MOST_THREADS, questions.size()));
    AtomicLong serial = new AtomicLong();
    threads =
        new ThreadPoolExecutor(
            most,
            most,
            1,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(Math.max(1, questions.size())),
            task -> DaemonThread.of(name + "-" + serial.incrementAndGet(), task));
    threads.allowCoreThreadTimeOut(true);
  }

  /** Asks every instrument that has no question open. */
  public Refresh ask(long deadlineNanos) {
    synchronized (this) {
      for (Line<T> line : lines) {
        if (!line.open && !threads.isShutdown()) {
          line.open = true;
          line.deadlineNanos = deadlineNanos;
          open++;
          threads.execute(() -> answer(line, deadlineNanos));
        }
      }
    }
    return () -> await(deadlineNanos);
  }

  private void answer(Line<T> line, long deadlineNanos) {
    long before = threadCpuNanos();
    T value = null;
    MeterException problem = null;
    try {
      value = line.question.ask(deadlineNanos);
    } catch (MeterException e) {
      problem = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      problem = new MeterException("the reading was interrupted", "meter", "");
    } catch (RuntimeException e) {
      // An instrument's odd answer must not end the sampling: it is one failed reading.
      problem = new MeterException("unexpected answer: " + e, "meter", "", e);
    } finally {
      ownCpuNanos.addAndGet(threadCpuNanos() - before);
      synchronized (this) {
        line.open = false;
        line.number++;
        line.value = value;
        line.problem = problem;
        open--;
        notifyAll();
      }
    }
  }

  private synchronized void await(long deadlineNanos) throws InterruptedException {
    // Waits in this machine's time, so that a test's clock that stands still ends it too.
    long limit = System.nanoTime() + Math.max(0, deadlineNanos - ticker.nanos());
    while (open > 0) {
      long left = limit - System.nanoTime();
      if (left <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** The newest answer of an instrument, by its index. */
  public synchronized Answer<T> answer(int index) {
    Line<T> line = lines.get(index);
    boolean late = line.open && ticker.nanos() >= line.deadlineNanos;
    return new Answer<>(line.number, line.value, line.problem, late);
  }

  /** CPU time that the questions have cost so far. */
  public long ownCpuNanos() {
    return ownCpuNanos.get();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  private long threadCpuNanos() {
    return cpu.isCurrentThreadCpuTimeSupported() ? cpu.getCurrentThreadCpuTime() : 0;
  }
}
