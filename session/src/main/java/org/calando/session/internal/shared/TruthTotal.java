package org.calando.session.internal.shared;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.LagModel;

/**
 * The canary's reads since some begin, all added up. Immutable and thread safe.
 *
 * @param atNanos when the newest of them was made; without one it means nothing
 * @param reads how many there were
 * @param stale how many of them were stale
 * @param predicted how many each model said would be
 */
record TruthTotal(long atNanos, long reads, long stale, Map<LagModel, Double> predicted) {
  static final TruthTotal NONE = new TruthTotal(0, 0, 0, none());

  TruthTotal {
    predicted = Map.copyOf(predicted);
  }

  private static Map<LagModel, Double> none() {
    Map<LagModel, Double> none = new EnumMap<>(LagModel.class);
    for (LagModel model : LagModel.values()) {
      none.put(model, 0.0);
    }
    return none;
  }

  double predicted(LagModel model) {
    return predicted.getOrDefault(model, 0.0);
  }

  /** These and others that came after them. */
  TruthTotal plus(TruthTotal later) {
    Map<LagModel, Double> sums = new EnumMap<>(LagModel.class);
    for (LagModel model : LagModel.values()) {
      sums.put(model, predicted(model) + later.predicted(model));
    }
    return new TruthTotal(
        later.reads == 0 ? atNanos : later.atNanos, reads + later.reads, stale + later.stale, sums);
  }

  /** Those of these that came after earlier ones. */
  TruthTotal since(TruthTotal earlier) {
    Map<LagModel, Double> rest = new EnumMap<>(LagModel.class);
    for (LagModel model : LagModel.values()) {
      rest.put(model, Math.max(0, predicted(model) - earlier.predicted(model)));
    }
    return new TruthTotal(atNanos, reads - earlier.reads, stale - earlier.stale, rest);
  }

  /** The same with another time. */
  TruthTotal at(long newAtNanos) {
    return new TruthTotal(newAtNanos, reads, stale, predicted);
  }

  /** As policies take it; empty without a read. */
  Optional<Observation.Truth> truth(LagModel model) {
    return reads <= 0
        ? Optional.empty()
        : Optional.of(
            new Observation.Truth(
                atNanos, reads, stale, Math.min(predicted(model), (double) reads)));
  }
}
