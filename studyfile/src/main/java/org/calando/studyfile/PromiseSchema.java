package org.calando.studyfile;

import static org.calando.schema.Types.duration;

import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.StoreSpec;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/** What {@code promise} may say. */
final class PromiseSchema {
  private static final Key<Long> FRESH =
      Key.of(
              "fresh",
              duration(1_000_000, 3_600_000_000_000L),
              "Time from the call of a write until others can read it, for 99 % of the writes.")
          .mandatory()
          .example("500ms");

  static final ObjectType<Long> TYPE =
      ObjectType.named(
              "a promise",
              "A promise to all clients. A run keeps it where at least 99 % of its writes do:"
                  + " fresh_share of results tells how many did, sla_per_budget that share over the"
                  + " joules of a thousand operations.")
          .keys(FRESH)
          .build(promise -> promise.get(FRESH));

  private PromiseSchema() {}

  /** Only some stores tell when a write can be read. */
  static void check(Values study, Key<StoreSpec> store, Key<Long> promise) {
    boolean known =
        study.find(store).filter(one -> !one.supports(Feature.DEFERRED_WRITES)).isEmpty();
    if (study.given(promise) && !known) {
      study.error(
          promise,
          "holds only for "
              + Engines.names(Feature.DEFERRED_WRITES)
              + ", where it is known when a write can be read",
          "remove it, or study one of these");
    }
  }
}
