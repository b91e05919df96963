package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/*
 * Keys are tried one after the other until every set of replicas that turns up has one, then until
 * there are enough for the canaries under way; the search is bounded, as a big cluster has more sets
 * than a canary can visit. A key is used by one canary at a time, so that a version seen is its own.
 * The first key is drawn at random: other clients' canaries use the same table.
 */
/** Which keys the canary writes, and which nodes hold them. Thread safe. */
public final class CanaryKeys {
  private static final int MOST_SETS = 64;
  private static final int MOST_TRIED = 1024;

  private final CqlSession session;
  private final CqlIdentifier keyspace;
  private final Optional<String> dataCentre;
  private final int fewest;
  private final long firstKey;
  private final Deque<Long> free = new ArrayDeque<>();
  private final Set<Long> used = new HashSet<>();
  private List<Long> all = List.of();
  private @Nullable TokenMap chosenFor;

  public CanaryKeys(
      CqlSession session, String keyspace, Optional<String> dataCentre, int fewest, long firstKey) {
    this.session = session;
    this.keyspace = CqlIdentifier.fromInternal(keyspace);
    this.dataCentre = dataCentre;
    this.fewest = fewest;
    this.firstKey = firstKey;
  }

  /**
   * Fails if it cannot be told which nodes hold a key.
   *
   * @throws BadRequestException if the driver's token map is switched off, or leaves the keyspace
   *     out
   */
  public void check() {
    if (replicas(firstKey).isEmpty()) {
      throw new BadRequestException(
          "the driver cannot tell which nodes hold a key of it"
              + dataCentre.map(name -> " in data centre " + name).orElse(""),
          "keyspace " + keyspace.asInternal(),
          "switch the driver's schema and token metadata on for it, and name a data centre that"
              + " has replicas");
    }
  }

  /** Takes a key that no canary uses; empty if all are in use. */
  synchronized Optional<Long> take() {
    chooseAnew();
    Long key = free.pollFirst();
    if (key == null) {
      return Optional.empty();
    }
    used.add(key);
    return Optional.of(key);
  }

  /** Gives a key back. */
  synchronized void giveBack(long key) {
    used.remove(key);
    if (all.contains(key)) {
      free.addLast(key);
    }
  }

  /** The replicas that count of a key; none if unknown. */
  Set<Node> replicas(long key) {
    ByteBuffer bytes =
        Objects.requireNonNull(TypeCodecs.BIGINT.encodePrimitive(key, ProtocolVersion.DEFAULT));
    return session
        .getMetadata()
        .getTokenMap()
        .map(tokens -> tokens.getReplicas(keyspace, bytes))
        .orElse(Set.of())
        .stream()
        .filter(node -> dataCentre.isEmpty() || dataCentre.get().equals(node.getDatacenter()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Replicas of a key, N: the fewest over all keys. */
  public int fewest() {
    return fewest(node -> true);
  }

  /** Those of a key's replicas of which something holds, the fewest over all keys. */
  public int fewest(Predicate<Node> holds) {
    return all().stream()
        .mapToInt(key -> (int) replicas(key).stream().filter(holds).count())
        .min()
        .orElse(0);
  }

  /** All keys chosen. */
  synchronized List<Long> all() {
    chooseAnew();
    return all;
  }

  // The driver makes another token map when nodes come, go or move, or replication changes.
  private void chooseAnew() {
    TokenMap now = session.getMetadata().getTokenMap().orElse(null);
    if (now == chosenFor) {
      return;
    }
    chosenFor = now;
    List<Long> visiting = new ArrayList<>();
    List<Long> filling = new ArrayList<>();
    Set<Set<UUID>> seen = new HashSet<>();
    for (int i = 0; i < MOST_TRIED && seen.size() < MOST_SETS; i++) {
      long key = firstKey + i;
      if (seen.add(replicas(key).stream().map(Node::getHostId).collect(Collectors.toSet()))) {
        visiting.add(key);
      } else if (filling.size() < fewest) {
        filling.add(key);
      }
    }
    int wanted = Math.max(fewest, visiting.size());
    visiting.addAll(filling.subList(0, Math.min(filling.size(), wanted - visiting.size())));
    all = Collections.unmodifiableList(visiting);
    free.clear();
    all.stream().filter(key -> !used.contains(key)).forEach(free::addLast);
  }
}
