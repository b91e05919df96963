package org.calando.store.cassandra;

import java.math.BigInteger;
import java.util.concurrent.CompletionStage;

/** Has a node move on the ring. Thread safe. */
public interface TokenMover {
  /** How an order ended. */
  enum End {
    /** The node says that it is done. */
    DONE,
    /** The node says that it did not do it, or gave up. */
    REFUSED,
    /** The way to the node broke: it may go on by itself. */
    UNKNOWN
  }

  /**
   * How an order ended, and why.
   *
   * @param reason in the node's words; empty if it is done
   */
  record Ended(End end, String reason) {}

  /**
   * Orders a node to take another token, and returns at once.
   *
   * @return ends, never with an error, when the order has: of a move, after all is streamed
   */
  CompletionStage<Ended> move(RingNode node, BigInteger token);

  /**
   * Orders a node to drop what it is no replica of, keyspace by keyspace, and returns at once.
   *
   * @return as that of {@link #move}
   */
  CompletionStage<Ended> cleanup(RingNode node);
}
