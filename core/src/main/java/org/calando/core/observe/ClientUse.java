package org.calando.core.observe;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.store.ConsistencyLevel;

/**
 * What is declared of a cluster's clients, as no node reports it. Immutable and thread safe.
 *
 * @param reads the weakest level of their reads; empty if it is not known
 * @param writes the weakest level of their writes; empty if it is not known
 * @param keys of each table, 1 or more; empty if they are not known
 * @param zipf the constant of Zipf's law by which they ask for keys; empty if for each as often
 * @param propagationNanos that a write takes from its acknowledgement to every replica; empty if it
 *     is not known
 * @param canary keyspace in which a table of Calando's may be written to, to measure that; empty if
 *     nothing may be written
 * @param keyspaces whose promises count; none for all but the server's own
 */
public record ClientUse(
    Optional<ConsistencyLevel> reads,
    Optional<ConsistencyLevel> writes,
    OptionalLong keys,
    OptionalDouble zipf,
    OptionalLong propagationNanos,
    Optional<String> canary,
    List<String> keyspaces) {
  /** Copies the list. */
  public ClientUse {
    keyspaces = List.copyOf(keyspaces);
  }

  /** Nothing is declared. */
  public static final ClientUse UNKNOWN =
      new ClientUse(
          Optional.empty(),
          Optional.empty(),
          OptionalLong.empty(),
          OptionalDouble.empty(),
          OptionalLong.empty(),
          Optional.empty(),
          List.of());

  /**
   * How requests spread over the keys of a table: where that is not declared all are for one, which
   * is the worst.
   */
  public KeyPopularity popularity() {
    long count = keys.orElse(1);
    return zipf.isPresent()
        ? KeyPopularity.zipf(count, zipf.getAsDouble())
        : KeyPopularity.uniform(count);
  }
}
