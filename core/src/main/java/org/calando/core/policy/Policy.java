package org.calando.core.policy;

import org.calando.core.staleness.LagModel;

/**
 * Decides how many replicas a table's reads ask.
 *
 * @param <S> what it remembers; immutable
 */
public interface Policy<S> extends SignalPolicy<S, Observation> {
  @Override
  default SignalId<Observation> signal() {
    return Observation.READS;
  }

  @Override
  default KnobId<?> knob() {
    return KnobId.READ_LEVEL;
  }

  /** What predicts the canary's reads: its model of one read, or lags as they are measured. */
  default LagModel ofOneRead() {
    return LagModel.MEASURED;
  }

  /**
   * What is read at where nothing is decided.
   *
   * @param safe the level at which no read is stale
   * @param replicas among which a read's level chooses, N
   */
  default ReadChoice fallback(SafeLevel safe, int replicas) {
    return ReadChoice.of(safe.replicas());
  }
}
