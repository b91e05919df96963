package org.calando.store.cassandra;

import java.util.concurrent.CompletableFuture;

/** Where a node tells how long clients' reads took. Thread safe. */
@FunctionalInterface
public interface NodeLatencies {
  /**
   * How many reads of clients took how long since the node's start, as their coordinator: of the
   * buckets of Cassandra's estimated histograms, in microseconds. Returns at once; ends with an
   * error if the node does not answer.
   */
  CompletableFuture<long[]> ask();
}
