package org.calando.governor;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.calando.core.CalandoException;
import org.jspecify.annotations.Nullable;

/*
 *   not open --due--> open --fails--> wait 1 s, 2 s, ... 60 s --> not open
 *     ^                                       |
 *     +------------- works for 60 s: from 1 s again
 */
/**
 * Something that is opened, watched, and opened again after it failed, ever later, and after six
 * hours. {@link #state} and {@link #isOpening} are thread safe, all else is for one thread.
 */
final class Retried<T> implements AutoCloseable {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RENEW_NANOS = TimeUnit.HOURS.toNanos(6);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Open<T> open;
  private final Check<T> check;
  private final Consumer<T> close;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final boolean renews;
  private @Nullable T opened;
  private long againNanos;
  private long openedNanos;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private boolean begun;
  private volatile boolean opening;
  private volatile @Nullable Throwable failure;
  private boolean once;
  private volatile ClusterState.Part state;

  /** Opens it; blocks. */
  @FunctionalInterface
  interface Open<T> {
    /** Opens it. */
    T open() throws InterruptedException;
  }

  /** Looks whether it works. */
  @FunctionalInterface
  interface Check<T> {
    /**
     * Looks.
     *
     * @return what is amiss though it works
     * @throws CalandoException if it works no more
     */
    Optional<String> check(T opened, long nowNanos) throws InterruptedException;
  }

  /** One that is opened anew after six hours. */
  Retried(
      Open<T> open, Check<T> check, Consumer<T> close, InstantSource clock, LongSupplier nanos) {
    this(open, check, close, clock, nanos, true);
  }

  /**
   * One of its own.
   *
   * @param renews whether it is opened anew after six hours, though it works
   */
  Retried(
      Open<T> open,
      Check<T> check,
      Consumer<T> close,
      InstantSource clock,
      LongSupplier nanos,
      boolean renews) {
    this.renews = renews;
    this.open = open;
    this.check = check;
    this.close = close;
    this.nanos = nanos;
    this.clock = clock;
    this.state = new ClusterState.Part(false, clock.instant(), Optional.of("not begun yet"), 0);
  }

  /** It is not opened again after it has failed: somebody sees to that. */
  Retried<T> once() {
    once = true;
    return this;
  }

  /** How it stands. */
  ClusterState.Part state() {
    return state;
  }

  /** Whether it is being opened now; for any thread. */
  boolean isOpening() {
    return opening;
  }

  /**
   * Opens it for the first time.
   *
   * @throws CalandoException if that fails
   */
  void begin() throws InterruptedException {
    begun = true;
    opening = true;
    try {
      opened = open.open();
    } finally {
      opening = false;
    }
    openedNanos = nanos.getAsLong();
    state(true, Optional.empty());
  }

  /** Opens it if it is time to, or looks whether it works. Whatever fails is in the state. */
  void tick() throws InterruptedException {
    if (once && failure != null) {
      return;
    }
    long nowNanos = nanos.getAsLong();
    try {
      T now = opened;
      if (now != null) {
        Optional<String> amiss = check.check(now, nowNanos);
        if (nowNanos - openedNanos > LONGEST_PAUSE_NANOS) {
          pauseNanos = FIRST_PAUSE_NANOS;
        }
        state(true, amiss);
        if (renews && nowNanos - openedNanos > RENEW_NANOS) {
          renew();
        }
      } else if (!begun || nowNanos - againNanos >= 0) {
        begin();
      }
    } catch (RuntimeException | Error e) {
      // A defect must not end what is done to the cluster, nor to others; it is in the state.
      failed(e);
    }
  }

  /** It has failed: what is open is closed, and opened again later. */
  void failed(Throwable why) {
    begun = true;
    String undone = closeOpened();
    againNanos = nanos.getAsLong() + pauseNanos;
    String again = "; tries again in " + TimeUnit.NANOSECONDS.toSeconds(pauseNanos) + " s";
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    state =
        new ClusterState.Part(
            false,
            state.works() ? clock.instant() : state.since(),
            Optional.of(words(why) + undone + again),
            state.failures() + 1);
    failure = why;
  }

  /** Why it failed last; empty if it never did; for any thread. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** What a meter remembers grows for as long as it is open. */
  private void renew() throws InterruptedException {
    T now = opened;
    opened = null;
    if (now != null) {
      close.accept(now);
    }
    begin();
  }

  private void state(boolean works, Optional<String> problem) {
    Instant since = state.works() == works ? state.since() : clock.instant();
    state = new ClusterState.Part(works, since, problem, state.failures());
  }

  private String closeOpened() {
    T now = opened;
    opened = null;
    if (now == null) {
      return "";
    }
    try {
      close.accept(now);
      return "";
    } catch (RuntimeException | Error e) {
      return "; and it could not be closed: " + words(e);
    }
  }

  static String words(Throwable e) {
    return e instanceof CalandoException
        ? Objects.toString(e.getMessage(), "").replace("\n  ", "; ")
        : e.toString();
  }

  /**
   * {@inheritDoc}
   *
   * @throws org.calando.core.FailedWorkException if a knob is not as before
   */
  @Override
  public void close() {
    T now = opened;
    opened = null;
    if (now != null) {
      close.accept(now);
    }
  }
}
