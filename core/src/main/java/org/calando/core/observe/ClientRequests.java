package org.calando.core.observe;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What clients ask of each node of a cluster, by the nodes' own counters. Implementations are
 * thread safe.
 */
public interface ClientRequests extends AutoCloseable {
  /** A capability of clusters whose nodes count the requests of their clients. */
  interface Source {
    /**
     * Connects; blocks until then.
     *
     * @throws org.calando.core.CalandoException if the cluster cannot be asked
     */
    ClientRequests requests();
  }

  /**
   * Requests of clients that a node has answered.
   *
   * @param life names the node's process or its connection: the counts of another life may have
   *     begun anew
   * @param atNanos when the counts were these, by {@link System#nanoTime}
   * @param reads 0 or more
   * @param writes 0 or more
   */
  record Count(long life, long atNanos, long reads, long writes) {}

  /**
   * What a round of questions found.
   *
   * @param nodes by the nodes' names; nodes whose counts are not known are absent. One that is off
   *     by order has a count of zero, of life 0
   * @param writes of the whole cluster, where several nodes count one write, without reads; empty
   *     where each is counted by one node, so that the cluster's are their sum
   */
  record Counts(Map<String, Count> nodes, Optional<Count> writes) {
    /** Nothing is known. */
    public static final Counts UNKNOWN = of(Map.of());

    /** Copies the counts. */
    public Counts {
      nodes = Map.copyOf(nodes);
    }

    /** Whether a node has answered, beside those that are off by order. */
    public boolean isAnswered() {
      return nodes.values().stream().anyMatch(count -> count.life() != 0);
    }

    /** Where each write is counted by one node. */
    public static Counts of(Map<String, Count> nodes) {
      return new Counts(nodes, Optional.empty());
    }
  }

  /** Those of a cluster whose requests nobody counts, with the reason. */
  static ClientRequests unknown(String why) {
    return new ClientRequests() {
      @Override
      public CompletionStage<Counts> ask() {
        return CompletableFuture.completedFuture(Counts.UNKNOWN);
      }

      @Override
      public List<String> problems() {
        return List.of("no requests: " + why);
      }

      @Override
      public boolean asks() {
        return false;
      }

      @Override
      public void close() {}
    };
  }

  /**
   * Asks every node at once; does not block.
   *
   * @return when each node has answered or missed its deadline
   */
  CompletionStage<Counts> ask();

  /** Whether there are nodes that can answer. */
  default boolean asks() {
    return true;
  }

  /** What was wrong with nodes in the last round, one sentence each; empty if all answered. */
  List<String> problems();

  /** Asks no more. Idempotent. */
  @Override
  void close();
}
