package org.calando.governor.promise;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.Promised;
import org.calando.core.store.ConsistencyLevel;
import org.calando.studyfile.ClusterPromise;

/*
 * The window is kept in 200 parts, the oldest of which is dropped as a whole: what is known is of the last 199 to 200 of
 * them. All else of the window is unknown: what was before the governor began, gaps between samples, what is dropped.
 *
 * The budget of stale reads is limit x reads, by the limit that was in force, and what is spent of it the stale ones, over the time of which both are
 * known. Unknown time spends nothing and earns nothing.
 */
/**
 * The account of a cluster's promises, kept, broken, or unknown, and of their budget. Thread safe.
 */
public final class PromiseAccount {
  private static final int PARTS = 200;

  /** A sample stands for so many periods at most: what else is before it, or after, is unknown. */
  private static final int PERIODS_VALID = 3;

  /** And for a minute: figures are of what was seen last, whatever the period is. */
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ClusterPromise promise;
  private final long periodNanos;
  private final Map<Promised, Deque<Part>> parts = new EnumMap<>(Promised.class);
  private Map<Promised, String> sources = Map.of();
  private Map<Promised, PromiseFigure> last = Map.of();
  private Map<ConsistencyLevel, PromiseFigure> levels = Map.of();
  private Map<Promised, Double> changed = Map.of();
  private boolean begun;
  private long lastNanos;

  /** Of a promise, in one part of the window. */
  private static final class Part {
    private final long beginNanos;
    private double kept;
    private double broken;
    private double allowed;
    private double staleLow;
    private double staleHigh;
    private boolean hasReads;

    private Part(long beginNanos) {
      this.beginNanos = beginNanos;
    }
  }

  /**
   * An account that has not begun.
   *
   * @param periodNanos from one question for figures to the next
   */
  public PromiseAccount(ClusterPromise promise, long periodNanos) {
    this.promise = promise;
    this.periodNanos = periodNanos;
    promise.limits().keySet().forEach(each -> parts.put(each, new ArrayDeque<>()));
  }

  /** Takes what measures each promise, by name. */
  public synchronized void measuredBy(Map<Promised, String> names) {
    sources = Map.copyOf(names);
  }

  /** The first sample stands for no time before this. */
  public synchronized void begin(long nanos) {
    begun = true;
    lastNanos = nanos;
  }

  /**
   * Ends a period.
   *
   * @param figures those that are known of it
   * @param ofLevels the share of stale reads had all been at one level
   * @param nanos its end
   */
  public synchronized void period(
      Map<Promised, PromiseFigure> figures,
      Map<ConsistencyLevel, PromiseFigure> ofLevels,
      long nanos) {
    levels = ofLevels;
    if (!begun) {
      begin(nanos);
    }
    long sinceNanos = nanos - lastNanos;
    long knownNanos = Math.min(sinceNanos, Math.min(LONGEST_NANOS, PERIODS_VALID * periodNanos));
    double share = sinceNanos == 0 ? 0 : (double) knownNanos / sinceNanos;
    figures.forEach(
        (each, figure) -> {
          Deque<Part> window = parts.get(each);
          if (window != null) {
            Part part = part(window, nanos - knownNanos);
            add(each, part, figure, knownNanos / 1e9);
            spend(each, part, figure, share);
          }
        });
    // Nobody may ask how they stand.
    parts.values().forEach(window -> forget(window, nanos));
    last = Map.copyOf(figures);
    lastNanos = nanos;
  }

  private Part part(Deque<Part> window, long beginNanos) {
    long length = promise.windowNanos() / PARTS;
    if (window.isEmpty() || beginNanos - window.getLast().beginNanos >= length) {
      window.addLast(new Part(beginNanos));
    }
    return window.getLast();
  }

  private void forget(Deque<Part> window, long nowNanos) {
    while (!window.isEmpty() && nowNanos - window.getFirst().beginNanos > promise.windowNanos()) {
      window.removeFirst();
    }
  }

  private void add(Promised each, Part part, PromiseFigure figure, double seconds) {
    each.kept(figure, limit(each))
        .ifPresent(
            kept -> {
              part.kept += kept ? seconds : 0;
              part.broken += kept ? 0 : seconds;
            });
  }

  /**
   * Of the reads that a figure is of, those of the time that it stands for. A figure that says that
   * none or all of them were stale is none.
   */
  private void spend(Promised each, Part part, PromiseFigure figure, double share) {
    boolean known = figure.low() > 0 || figure.high() < 1;
    if (each == Promised.STALE && known && figure.reads() > 0) {
      double reads = figure.reads() * share;
      part.allowed += limit(each) * reads;
      part.hasReads = true;
      part.staleLow += figure.low() * reads;
      part.staleHigh += figure.high() * reads;
    }
  }

  /**
   * Has promises judged by other limits than the file's from now on.
   *
   * @param others by the promise; empty for the file's
   */
  public synchronized void limits(Function<Promised, Optional<Double>> others) {
    Map<Promised, Double> now = new EnumMap<>(Promised.class);
    parts.keySet().forEach(each -> others.apply(each).ifPresent(limit -> now.put(each, limit)));
    changed = now;
  }

  private double limit(Promised each) {
    Double other = changed.get(each);
    return other == null ? fileLimit(each) : other;
  }

  private double fileLimit(Promised each) {
    Double limit = promise.limits().get(each);
    if (limit == null) {
      throw new IllegalArgumentException(each + " is not promised");
    }
    return limit;
  }

  private boolean isFresh(long nowNanos) {
    return begun && nowNanos - lastNanos <= PERIODS_VALID * periodNanos;
  }

  /** What the promise of stale reads would be at other levels of reads; none if unknown. */
  public synchronized List<LevelState> levels(long nowNanos) {
    List<LevelState> states = new ArrayList<>();
    if (isFresh(nowNanos) && promise.limits().containsKey(Promised.STALE)) {
      levels.forEach(
          (level, figure) ->
              states.add(
                  new LevelState(
                      level, figure, Promised.STALE.kept(figure, limit(Promised.STALE)))));
    }
    return states;
  }

  /** How each promise stands. */
  public synchronized List<PromiseState> states(long nowNanos) {
    boolean fresh = isFresh(nowNanos);
    List<PromiseState> states = new ArrayList<>();
    parts.forEach(
        (each, window) ->
            states.add(
                new PromiseState(
                    each,
                    limit(each),
                    fileLimit(each),
                    sources.getOrDefault(each, ""),
                    fresh ? Optional.ofNullable(last.get(each)) : Optional.empty(),
                    account(window, nowNanos))));
    return states;
  }

  private PromiseState.Account account(Deque<Part> window, long nowNanos) {
    forget(window, nowNanos);
    double allowed = window.stream().mapToDouble(part -> part.allowed).sum();
    boolean known = window.stream().anyMatch(part -> part.hasReads);
    return new PromiseState.Account(
        promise.windowNanos() / 1e9,
        window.stream().mapToDouble(part -> part.kept).sum(),
        window.stream().mapToDouble(part -> part.broken).sum(),
        spent(known, window.stream().mapToDouble(part -> part.staleLow).sum(), allowed),
        spent(known, window.stream().mapToDouble(part -> part.staleHigh).sum(), allowed));
  }

  private static OptionalDouble spent(boolean known, double stale, double allowed) {
    if (!known) {
      return OptionalDouble.empty();
    }
    // Nothing is allowed where the limit is 0: then one stale read is without bound.
    return OptionalDouble.of(stale == 0 ? 0 : stale / allowed);
  }
}
