package org.calando.store.cassandra.promise;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.calando.core.observe.ClientUse;
import org.calando.core.store.ReplicaPlacement;
import org.calando.store.cassandra.CassandraGovernor;

/** Where the replicas of the clients' keyspaces are, by the driver's metadata. Immutable. */
final class KeyspaceReplicas {
  private final List<KeyspaceMetadata> keyspaces;
  private final Optional<TokenMap> tokens;

  private KeyspaceReplicas(List<KeyspaceMetadata> keyspaces, Optional<TokenMap> tokens) {
    this.keyspaces = keyspaces;
    this.tokens = tokens;
  }

  /** As it is known now. */
  static KeyspaceReplicas of(CqlSession driver, ClientUse clients) {
    return new KeyspaceReplicas(
        driver.getMetadata().getKeyspaces().values().stream()
            .filter(each -> isOfClients(each.getName().asInternal(), clients))
            .toList(),
        driver.getMetadata().getTokenMap());
  }

  /** Whether a keyspace's promises count. */
  static boolean isOfClients(String keyspace, ClientUse clients) {
    return clients.keyspaces().isEmpty()
        ? !keyspace.equals("system")
            && !keyspace.startsWith("system_")
            && !keyspace.equals(CassandraGovernor.KEYSPACE)
        : clients.keyspaces().contains(keyspace);
  }

  /** Each distinct set of replicas of a range of their tokens. */
  List<ReplicaMargin> margins(Function<Node, ReplicaMargin.Life> life) {
    List<ReplicaMargin> margins = new ArrayList<>();
    for (Set<Node> replicas : sets(keyspaces)) {
      margins.add(
          new ReplicaMargin(
              replicas.stream()
                  .map(
                      node ->
                          new ReplicaMargin.Replica(
                              Objects.requireNonNullElse(node.getDatacenter(), ""),
                              life.apply(node)))
                  .toList()));
    }
    return margins;
  }

  /** How many replicas of a keyspace's ranges are off; any number where that is not known. */
  StaleBound.Off off(String keyspace, Predicate<Node> isOff) {
    IntSummaryStatistics off =
        keyspaces.stream()
            .filter(each -> each.getName().asInternal().equals(keyspace))
            .flatMap(each -> sets(List.of(each)).stream())
            .mapToInt(replicas -> (int) replicas.stream().filter(isOff).count())
            .summaryStatistics();
    return off.getCount() == 0
        ? StaleBound.Off.ANY
        : new StaleBound.Off(off.getMin(), off.getMax());
  }

  private Set<Set<Node>> sets(List<KeyspaceMetadata> of) {
    Set<Set<Node>> sets = new HashSet<>();
    if (tokens.isEmpty()) {
      return sets;
    }
    for (KeyspaceMetadata keyspace : of) {
      for (TokenRange range : tokens.get().getTokenRanges()) {
        Set<Node> replicas = tokens.get().getReplicas(keyspace.getName(), range);
        // The driver knows none of a strategy of somebody's own.
        if (!replicas.isEmpty()) {
          sets.add(replicas);
        }
      }
    }
    return sets;
  }

  /** The replicas of a keyspace; empty if its strategy is not one of the two usual ones. */
  Optional<ReplicaPlacement> placement(String keyspace) {
    return keyspaces.stream()
        .filter(each -> each.getName().asInternal().equals(keyspace))
        .findFirst()
        .flatMap(each -> placement(each.getReplication()));
  }

  static Optional<ReplicaPlacement> placement(Map<String, String> options) {
    String strategy = options.getOrDefault("class", "");
    Map<String, Integer> byDataCentre = new TreeMap<>();
    try {
      for (Map.Entry<String, String> option : options.entrySet()) {
        if (!option.getKey().equals("class") && !option.getValue().equals("0")) {
          byDataCentre.put(option.getKey(), Integer.parseInt(option.getValue()));
        }
      }
    } catch (NumberFormatException e) {
      // Transient replicas, as 3/1.
      return Optional.empty();
    }
    boolean usual =
        strategy.endsWith("SimpleStrategy") || strategy.endsWith("NetworkTopologyStrategy");
    return usual && !byDataCentre.isEmpty()
        ? Optional.of(new ReplicaPlacement(byDataCentre, byDataCentre.keySet().iterator().next()))
        : Optional.empty();
  }
}
