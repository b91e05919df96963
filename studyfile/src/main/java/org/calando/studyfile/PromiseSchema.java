package org.calando.studyfile;

import java.util.List;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.StoreSpec;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;
import org.jspecify.annotations.Nullable;

/** What {@code promise} may say. */
final class PromiseSchema {
  private static final Key<Double> STALE = ClusterPromiseSchema.STALE;
  private static final Key<Long> FRESH = ClusterPromiseSchema.FRESH;
  private static final Key<Long> READ_P99 = ClusterPromiseSchema.READ_P99;
  private static final Key<Integer> COPIES = ClusterPromiseSchema.COPIES;
  private static final Key<Integer> SURVIVE = ClusterPromiseSchema.SURVIVE;
  private static final List<Key<?>> OF_READS = List.of(STALE, READ_P99, COPIES, SURVIVE);

  static final ObjectType<Promise> TYPE =
      ObjectType.named(
              "a promise",
              "A promise to all clients. A run keeps it where every part is kept; of what is promised"
                  + " of writes, fresh_share of results tells how many kept it, sla_per_budget that"
                  + " share over the joules of a thousand operations.")
          .keys(STALE, FRESH, READ_P99, COPIES, SURVIVE)
          .check(PromiseSchema::checkGiven)
          .build(PromiseSchema::build);

  private PromiseSchema() {}

  private static void checkGiven(Values promise) {
    if (!promise.given(FRESH) && OF_READS.stream().noneMatch(promise::given)) {
      promise.errorHere("promises nothing", "write stale, fresh, read-p99, copies or survive");
    }
  }

  private static Promise build(Values values) {
    Promise promise = Promise.NONE;
    promise = with(promise, Promised.STALE, values.find(STALE).orElse(null));
    promise =
        with(promise, Promised.FRESH, values.find(FRESH).map(PromiseSchema::seconds).orElse(null));
    promise =
        with(
            promise,
            Promised.READ_P99,
            values.find(READ_P99).map(PromiseSchema::seconds).orElse(null));
    promise =
        with(promise, Promised.COPIES, values.find(COPIES).map(Integer::doubleValue).orElse(null));
    return with(
        promise, Promised.SURVIVE, values.find(SURVIVE).map(Integer::doubleValue).orElse(null));
  }

  private static double seconds(long nanos) {
    return nanos / 1e9;
  }

  private static Promise with(Promise promise, Promised part, @Nullable Double limit) {
    return limit == null ? promise : promise.with(part, limit);
  }

  /** Refuses what nothing of the store tells. */
  static void check(Values study, Key<StoreSpec> store, Key<Promise> promise) {
    study.find(store).ifPresent(one -> check(study, one, promise.name()));
  }

  private static void check(Values study, StoreSpec store, String promise) {
    String fresh = promise + "." + FRESH.name();
    if (study.has(fresh)
        && !store.supports(Feature.DEFERRED_WRITES)
        && !store.supports(Feature.READ_FROM)) {
      study.errorAt(
          fresh,
          "is supported only by "
              + Engines.names(Feature.DEFERRED_WRITES)
              + ", and under joint by "
              + Engines.names(Feature.READ_FROM)
              + ", where it is known when a write can be read",
          "remove it, or study one of these");
    }
    for (Key<?> key : OF_READS) {
      String path = promise + "." + key.name();
      if (study.has(path) && store.supports(Feature.FILES)) {
        study.errorAt(
            path,
            "is not measured on " + store.kind().title(),
            "remove it, or study a store of records");
      }
    }
  }
}
