package org.calando.session.internal;

import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;

/**
 * Which levels a table's reads have, given its replication and its writes. Immutable and thread
 * safe.
 *
 * @param placement its replicas
 * @param write the weakest level of its writes
 * @param local whether reads use LOCAL levels
 * @param safe the level at which no read is stale
 * @param weaker the levels of writes that are weaker than {@code write}
 */
public record TableLevels(
    ReplicaPlacement placement,
    ConsistencyLevel write,
    boolean local,
    SafeLevel safe,
    Set<ConsistencyLevel> weaker) {

  static TableLevels of(ReplicaPlacement placement, ConsistencyLevel write, boolean local) {
    SafeLevel safe = SafeLevel.weakest(placement, write, local);
    Set<ConsistencyLevel> weaker = EnumSet.noneOf(ConsistencyLevel.class);
    for (ConsistencyLevel other : ConsistencyLevel.values()) {
      boolean fewer = placement.involved(other) < placement.involved(write);
      if (fewer || !placement.isStrong(safe.level(), other)) {
        weaker.add(other);
      }
    }
    return new TableLevels(placement, write, local, safe, Collections.unmodifiableSet(weaker));
  }

  /** The same with the weaker of two levels of writes. */
  TableLevels weakened(ConsistencyLevel seen) {
    return isWeaker(seen) ? of(placement, seen, local) : this;
  }

  /** Whether writes at a level are sure of fewer replicas than those known. */
  boolean isWeaker(ConsistencyLevel seen) {
    return weaker.contains(seen);
  }

  /** Replicas among which a read's level chooses, N. */
  int replicas() {
    return placement.among(local ? ConsistencyLevel.LOCAL_ONE : ConsistencyLevel.ONE);
  }

  /** Of those the replicas that acknowledge a write, W: at least one. */
  int writeReplicas() {
    boolean elsewhere =
        local
            && placement.byDataCentre().size() > 1
            && write != ConsistencyLevel.LOCAL_ONE
            && write != ConsistencyLevel.LOCAL_QUORUM;
    return elsewhere ? 1 : Math.min(replicas(), Math.max(1, placement.involved(write)));
  }

  /**
   * Replicas that are read while figures are unknown.
   *
   * @param freshFirst whether freshness comes before availability: then as safe, else a quorum at
   *     most
   */
  ReadChoice fallback(boolean freshFirst) {
    return ReadChoice.of(freshFirst ? safe.replicas() : Math.min(safe.replicas(), quorum()));
  }

  /**
   * A choice that asks no replicas of other data centres, where reads use LOCAL levels and there
   * are others.
   */
  ReadChoice withinDataCentre(ReadChoice choice) {
    boolean elsewhere = local && placement.byDataCentre().size() > 1;
    return elsewhere && choice.mean() > quorum() ? ReadChoice.of(quorum()) : choice;
  }

  /** The replication and kind of levels in a word, for a file. */
  String replication() {
    return (placement.byDataCentre() + (local ? placement.local() : "")).replace(" ", "");
  }

  private int quorum() {
    return ConsistencyLevel.QUORUM.replicas(replicas());
  }

  LevelPicker picker() {
    return new LevelPicker(new ReadLevels(replicas(), local), safe);
  }

  /**
   * The replicas of a keyspace.
   *
   * @param localDataCentre of the session; empty if it is not known
   * @return empty if the keyspace's strategy is not one of the two usual ones
   */
  static Optional<ReplicaPlacement> placement(
      KeyspaceMetadata keyspace, Optional<String> localDataCentre) {
    Map<String, String> options = keyspace.getReplication();
    String strategy = options.getOrDefault("class", "");
    try {
      if (strategy.endsWith("SimpleStrategy")) {
        int factor = count(options.getOrDefault("replication_factor", ""));
        return Optional.of(ReplicaPlacement.single(factor));
      }
      if (strategy.endsWith("NetworkTopologyStrategy")) {
        Map<String, Integer> byDataCentre = new TreeMap<>();
        options.forEach(
            (name, value) -> {
              if (!name.equals("class") && count(value) > 0) {
                byDataCentre.put(name, count(value));
              }
            });
        String local =
            localDataCentre.orElse(byDataCentre.keySet().stream().findFirst().orElse(""));
        return Optional.of(new ReplicaPlacement(byDataCentre, local));
      }
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  // With transient replicas it reads 3/1, of which one has no data of its own.
  private static int count(String factor) {
    int slash = factor.indexOf('/');
    return slash < 0
        ? Integer.parseInt(factor)
        : Integer.parseInt(factor.substring(0, slash))
            - Integer.parseInt(factor.substring(slash + 1));
  }
}
