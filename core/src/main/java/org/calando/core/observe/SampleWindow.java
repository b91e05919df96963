package org.calando.core.observe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PropagationLags;
import org.jspecify.annotations.Nullable;

/** The newest samples of the canary, bounded in number and age. Thread safe. */
public final class SampleWindow {
  private final int size;
  private final long maxAgeNanos;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private final Deque<TruthRead> reads = new ArrayDeque<>();

  /**
   * The reads that came since an earlier time.
   *
   * @param seen how many reads there have been in all, to go on from
   * @param truth those that came since; empty without one
   */
  public record Since(long seen, Optional<Observation.Truth> truth) {}

  private record Sample(long atNanos, PropagationLags lags) {}

  /** Predicted by each {@link LagModel} before the read. */
  private record TruthRead(
      long number, long atNanos, boolean stale, Map<LagModel, Double> predicted) {}

  // How many reads there have been.
  private long count;

  // Of the samples as they are; each table and decision would sort them again.
  private @Nullable PropagationLags together;

  /**
   * An empty window.
   *
   * @param size the most samples, and the most reads, 1 or more
   * @param maxAgeNanos those older than this drop out, more than 0
   */
  public SampleWindow(int size, long maxAgeNanos) {
    this.size = size;
    this.maxAgeNanos = maxAgeNanos;
  }

  /**
   * Adds a sampled write; one with another number of replicas makes the earlier ones void.
   *
   * @param row as {@link PropagationLags#of} takes it
   */
  synchronized void add(long atNanos, int replicas, double[] row) {
    together = null;
    samples.removeIf(sample -> sample.lags().replicas() != replicas);
    if (samples.size() == size) {
      samples.removeFirst();
    }
    samples.addLast(new Sample(atNanos, PropagationLags.of(replicas, new double[][] {row})));
    int newest = LagChange.newest(samples.stream().map(Sample::lags).toList());
    if (newest > 0) {
      while (samples.size() > newest) {
        samples.removeFirst();
      }
      // They were predicted by lags that are no more.
      reads.clear();
    }
  }

  /**
   * Adds a read of a key whose newest acknowledged version is known.
   *
   * @param missed the chance to be stale that each model gave it
   */
  synchronized void add(long atNanos, boolean stale, ToDoubleFunction<LagModel> missed) {
    if (reads.size() == size) {
      reads.removeFirst();
    }
    Map<LagModel, Double> predicted = new EnumMap<>(LagModel.class);
    for (LagModel model : LagModel.values()) {
      predicted.put(model, missed.applyAsDouble(model));
    }
    reads.addLast(new TruthRead(++count, atNanos, stale, predicted));
  }

  /** The lags; empty without a sample. */
  synchronized Optional<Observation.Lags> lags(long now) {
    if (samples.removeIf(sample -> isOld(sample.atNanos(), now))) {
      together = null;
    }
    if (samples.isEmpty()) {
      return Optional.empty();
    }
    long newest = samples.getFirst().atNanos();
    for (Sample sample : samples) {
      newest = sample.atNanos() - newest > 0 ? sample.atNanos() : newest;
    }
    PropagationLags all = together == null ? gathered() : together;
    together = all;
    return Optional.of(new Observation.Lags(newest, all));
  }

  private PropagationLags gathered() {
    List<PropagationLags> parts = new ArrayList<>(samples.size());
    samples.forEach(sample -> parts.add(sample.lags()));
    return PropagationLags.joined(parts);
  }

  /** The reads beside what was predicted for them; empty without a read. */
  synchronized Optional<Observation.Truth> truth(long now, LagModel model) {
    return truthSince(now, 0, model).truth();
  }

  /** The reads that came after the first so many. */
  synchronized Since truthSince(long now, long seen, LagModel model) {
    reads.removeIf(read -> isOld(read.atNanos(), now));
    List<TruthRead> fresh = reads.stream().filter(read -> read.number() > seen).toList();
    return new Since(count, fresh.isEmpty() ? Optional.empty() : Optional.of(truth(fresh, model)));
  }

  // What lies in the future is from before the clock was set back.
  private boolean isOld(long atNanos, long now) {
    long age = now - atNanos;
    return age < 0 || age > maxAgeNanos;
  }

  private static Observation.Truth truth(List<TruthRead> reads, LagModel model) {
    long newest =
        reads.stream()
            .mapToLong(TruthRead::atNanos)
            .reduce((a, b) -> a - b > 0 ? a : b)
            .getAsLong();
    double predicted =
        reads.stream().mapToDouble(read -> read.predicted().getOrDefault(model, 0.0)).sum();
    return new Observation.Truth(
        newest,
        reads.size(),
        reads.stream().filter(TruthRead::stale).count(),
        Math.min(predicted, reads.size()));
  }
}
