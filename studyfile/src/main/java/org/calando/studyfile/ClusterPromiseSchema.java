package org.calando.studyfile;

import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.share;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.Promised;
import org.calando.core.store.ConsistencyLevel;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/** What {@code clusters[].promise} may say. */
final class ClusterPromiseSchema {
  static final Key<Double> STALE =
      Key.of(
              "stale",
              share(),
              "Reads that may be stale: older than the newest version acknowledged when they"
                  + " began.")
          .example("1%");
  static final Key<Long> FRESH =
      Key.of(
              "fresh",
              duration(1_000_000, 3_600_000_000_000L),
              "Time from the call of a write until others can read it, for 99 % of the writes.")
          .example("500ms");
  static final Key<Long> READ_P99 =
      Key.of(
              "read-p99",
              duration(1000, 3_600_000_000_000L),
              "Time that 99 % of the reads take at most.")
          .example("50ms");
  static final Key<Integer> COPIES =
      Key.of("copies", integer(1, 1000), "Live replicas of all data, at least.").example("2");
  static final Key<Integer> SURVIVE =
      Key.of(
              "survive",
              integer(0, 1000),
              "Nodes that may fail at once while all data stays readable as clients read.")
          .example("1");
  private static final Key<Long> WINDOW =
      Key.of(
              "window",
              duration(TimeUnit.MINUTES.toNanos(1), TimeUnit.HOURS.toNanos(24L * 366)),
              "Period of the error budget.")
          .byDefault("24h")
          .example("720h");

  static final ObjectType<ClusterPromise> TYPE =
      ObjectType.named(
              "the promise of a cluster",
              "What the cluster's clients are promised. Each is measured, or refused where nothing"
                  + " measures it.")
          .keys(STALE, FRESH, READ_P99, COPIES, SURVIVE, WINDOW)
          .check(ClusterPromiseSchema::check)
          .build(ClusterPromiseSchema::build);

  private ClusterPromiseSchema() {}

  private static void check(Values promise) {
    boolean any =
        promise.given(STALE)
            || promise.given(FRESH)
            || promise.given(READ_P99)
            || promise.given(COPIES)
            || promise.given(SURVIVE);
    if (!any) {
      promise.errorHere("promises nothing", "write stale, fresh, read-p99, copies or survive");
    }
  }

  /**
   * Refuses reads that are declared stronger than the governor hands them out to sessions, where
   * that would keep a promise. It does not where nodes may fail: stronger reads bear less.
   */
  static void checkSessions(
      Values cluster, Key<Boolean> sessions, Key<ClusterPromise> promise, Key<ClientUse> clients) {
    Map<Promised, Double> limits = cluster.find(promise).orElse(ClusterPromise.NONE).limits();
    String promised =
        Stream.of(Promised.STALE, Promised.FRESH)
            .filter(limits::containsKey)
            .map(Promised::word)
            .collect(Collectors.joining(" and "));
    if (!cluster.find(sessions).orElse(false) || promised.isEmpty()) {
      return;
    }
    cluster
        .find(clients)
        .flatMap(ClientUse::reads)
        .filter(level -> level != ConsistencyLevel.ONE && level != ConsistencyLevel.LOCAL_ONE)
        .ifPresent(
            level ->
                cluster.errorAt(
                    clients.name() + ".reads",
                    ("is %s, but with sessions: true the governor has some reads at ONE, which %s would"
                            + " not count")
                        .formatted(level, promised),
                    "write ONE or LOCAL_ONE, or leave %s or sessions out".formatted(promised)));
  }

  private static ClusterPromise build(Values promise) {
    Map<Promised, Double> limits = new EnumMap<>(Promised.class);
    promise.find(STALE).ifPresent(share -> limits.put(Promised.STALE, share));
    promise.find(FRESH).ifPresent(nanos -> limits.put(Promised.FRESH, nanos / 1e9));
    promise.find(READ_P99).ifPresent(nanos -> limits.put(Promised.READ_P99, nanos / 1e9));
    promise.find(COPIES).ifPresent(nodes -> limits.put(Promised.COPIES, (double) nodes));
    promise.find(SURVIVE).ifPresent(nodes -> limits.put(Promised.SURVIVE, (double) nodes));
    return new ClusterPromise(limits, promise.get(WINDOW));
  }
}
