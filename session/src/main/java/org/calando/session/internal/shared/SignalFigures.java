package org.calando.session.internal.shared;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.calando.core.policy.Observation;
import org.calando.session.TableName;

/**
 * What was measured of a keyspace, by this instance or by the one that leads. Immutable and thread
 * safe.
 *
 * @param lags how long writes take to reach replicas; empty if never told
 * @param replicas of a key, N; 0 if unknown
 * @param liveReplicas of them those that answer, the fewest over all keys
 * @param strained whether there is more work than the nodes can do: {@link Observation#strained}
 * @param rates requests for each table that is watched, as far as they are known
 */
record SignalFigures(
    Optional<Observation.Lags> lags,
    int replicas,
    int liveReplicas,
    boolean strained,
    Map<TableName, Observation.Rates> rates) {
  static final SignalFigures NONE = new SignalFigures(Optional.empty(), 0, 0, false, Map.of());

  SignalFigures {
    rates = Map.copyOf(rates);
  }

  /** The same, with what was known before of what it does not tell: as old as it then is. */
  SignalFigures orElse(SignalFigures before) {
    Map<TableName, Observation.Rates> known = new HashMap<>(before.rates);
    known.putAll(rates);
    boolean comparable = before.replicas == replicas || replicas == 0;
    return new SignalFigures(
        lags.or(() -> comparable ? before.lags : Optional.empty()),
        replicas,
        liveReplicas,
        strained,
        known);
  }

  /** The same without lags. */
  SignalFigures withoutLags() {
    return new SignalFigures(Optional.empty(), replicas, liveReplicas, strained, rates);
  }

  /** The same with all times as told by another clock. */
  SignalFigures withTimes(LongUnaryOperator times) {
    Map<TableName, Observation.Rates> timed = new HashMap<>();
    rates.forEach(
        (table, each) ->
            timed.put(
                table,
                new Observation.Rates(
                    times.applyAsLong(each.atNanos()),
                    each.readsPerSecond(),
                    each.writesPerSecond(),
                    each.meanWriteBytes())));
    return new SignalFigures(
        lags.map(each -> new Observation.Lags(times.applyAsLong(each.atNanos()), each.sample())),
        replicas,
        liveReplicas,
        strained,
        timed);
  }
}
