package org.calando.governor.sessions;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.LatencyCounts;
import org.calando.core.observe.SessionLevels;
import org.calando.engine.Target;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a cluster's applications that this governor decides for. Thread safe; {@link
 * #tick} is for one thread.
 */
public final class ClusterSessions implements AutoCloseable {
  /** How far back a window may go. */
  public static final Duration LONGEST_WINDOW = Duration.ofMinutes(10);

  private static final long STEP_NANOS = 1_000_000_000L;
  private static final long PAUSE_NANOS = 10_000_000_000L;

  private final Supplier<Target> cluster;
  private final Path folder;
  private final LongSupplier clock;
  private volatile @Nullable SessionLevels levels;
  private volatile Optional<String> problem = Optional.empty();
  private long dueNanos;

  /** Guarded by itself; the newest last. */
  private final Deque<Sum> sums = new ArrayDeque<>();

  private record Sum(long atNanos, LatencyCounts reads) {}

  /** As the constructor, by the system's clock. */
  public static ClusterSessions of(Supplier<Target> cluster, Path folder) {
    return new ClusterSessions(cluster, folder, System::nanoTime);
  }

  /**
   * Connects to nothing yet.
   *
   * @param cluster reached anew
   * @param folder where it is kept what is known of sessions
   * @param clock in nanoseconds
   */
  public ClusterSessions(Supplier<Target> cluster, Path folder, LongSupplier clock) {
    this.cluster = cluster;
    this.folder = folder;
    this.clock = clock;
    this.dueNanos = clock.getAsLong();
  }

  /**
   * Does what is due; what fails is tried again.
   *
   * @return why no session can be governed, or what is amiss; empty if nothing is
   */
  public Optional<String> tick() {
    long now = clock.getAsLong();
    @Nullable SessionLevels known = levels;
    if (known == null && now - dueNanos >= 0) {
      dueNanos = now + PAUSE_NANOS;
      try {
        known = begin();
        levels = known;
      } catch (RuntimeException e) {
        problem = Optional.of(String.valueOf(e.getMessage()));
      }
    }
    if (known != null) {
      note(known.reads(), now);
      problem = known.problem();
    }
    return problem;
  }

  /** Why no session can be governed, or what is amiss, as of the last tick; empty if nothing is. */
  public Optional<String> problem() {
    return problem;
  }

  private SessionLevels begin() {
    return cluster
        .get()
        .find(SessionLevels.Source.class)
        .orElseThrow(
            () ->
                new FailedWorkException(
                    "its applications' sessions cannot be governed",
                    "sessions",
                    "leave sessions out; it is for Cassandra"))
        .sessions(folder.toString());
  }

  private void note(LatencyCounts reads, long now) {
    synchronized (sums) {
      if (sums.isEmpty() || now - sums.getLast().atNanos() >= STEP_NANOS) {
        sums.addLast(new Sum(now, reads));
      }
      while (now - sums.getFirst().atNanos() > LONGEST_WINDOW.toNanos() + STEP_NANOS) {
        sums.removeFirst();
      }
    }
  }

  /**
   * Takes a session's report.
   *
   * @return what it is answered, after a second at most; fails if there is nobody to answer
   */
  public CompletionStage<String> exchange(String report) {
    SessionLevels known = levels;
    return known == null
        ? CompletableFuture.failedStage(
            new FailedWorkException("not begun yet", "sessions", "ask again"))
        : known.exchange(report);
  }

  /** Sessions that reported lately. */
  public int sessions() {
    SessionLevels known = levels;
    return known == null ? 0 : known.sessions();
  }

  /** How long all sessions' reads took since the governor began, as their applications saw it. */
  public LatencyCounts reads() {
    SessionLevels known = levels;
    return known == null ? LatencyCounts.NONE : known.reads();
  }

  /**
   * The 99th percentile of all sessions' reads in a window that ends now.
   *
   * @param window up to {@link #LONGEST_WINDOW}
   * @return empty if no read was reported, or none is known for that long
   */
  public Optional<Duration> readP99(Duration window) {
    long now = clock.getAsLong();
    synchronized (sums) {
      @Nullable Sum begin = null;
      for (Iterator<Sum> newest = sums.descendingIterator(); newest.hasNext() && begin == null; ) {
        Sum sum = newest.next();
        begin = now - sum.atNanos() >= window.toNanos() ? sum : null;
      }
      if (begin == null) {
        return Optional.empty();
      }
      var micros = sums.getLast().reads().since(begin.reads()).percentileMicros(99);
      return micros.isPresent()
          ? Optional.of(Duration.ofNanos(1000 * micros.getAsLong()))
          : Optional.empty();
    }
  }

  /** Ends what decides; a further {@link #tick} begins anew. */
  @Override
  public void close() {
    SessionLevels known = levels;
    levels = null;
    dueNanos = clock.getAsLong();
    synchronized (sums) {
      sums.clear();
    }
    if (known != null) {
      known.close();
    }
  }
}
