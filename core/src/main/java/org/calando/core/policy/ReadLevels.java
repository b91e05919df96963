package org.calando.core.policy;

import org.calando.core.store.ConsistencyLevel;

/**
 * Which consistency level a number of replicas is read at. Immutable and thread safe.
 *
 * <p>Where the replicas are a quorum the level is QUORUM, not TWO or THREE: it stays a quorum when
 * the replication factor changes. A number without a level of its own takes the next stronger one:
 * 5 of 7 replicas are read at ALL.
 *
 * <p>Of the LOCAL levels there are only LOCAL_ONE and LOCAL_QUORUM. More replicas than a local
 * quorum are read at ALL: EACH_QUORUM asks no more replicas of the local data centre than
 * LOCAL_QUORUM does, and QUORUM does not say of which data centre its replicas are, so that ALL is
 * the next level which is sure of more of the local ones. It asks the other data centres too.
 *
 * @param replicas replicas of a key among which the levels choose, N, 1 or more: those of the local
 *     data centre for LOCAL levels
 * @param local whether LOCAL levels are used
 */
public record ReadLevels(int replicas, boolean local) {
  public ReadLevels {
    if (replicas < 1) {
      throw new IllegalArgumentException(replicas + " replicas");
    }
  }

  /** Levels over all replicas, wherever they are. */
  public static ReadLevels plain(int replicationFactor) {
    return new ReadLevels(replicationFactor, false);
  }

  /**
   * The weakest level that asks at least so many replicas.
   *
   * @param read replicas to ask, X, 1 or more; more than there are means all
   */
  public ConsistencyLevel level(int read) {
    int quorum = ConsistencyLevel.QUORUM.replicas(replicas);
    if (read < 1) {
      throw new IllegalArgumentException(read + " replicas to read");
    }
    if (read > quorum) {
      return ConsistencyLevel.ALL;
    }
    if (local) {
      return read == 1 ? ConsistencyLevel.LOCAL_ONE : ConsistencyLevel.LOCAL_QUORUM;
    }
    if (read == 1) {
      // Of a single replica too, which is its own quorum.
      return ConsistencyLevel.ONE;
    }
    if (read == quorum || read > 3) {
      return ConsistencyLevel.QUORUM;
    }
    return read == 2 ? ConsistencyLevel.TWO : ConsistencyLevel.THREE;
  }

  /**
   * Replicas (of the local data centre, for LOCAL levels) that a read is sent to.
   *
   * @param read replicas to ask, X, 1 or more; more than there are means all
   * @return X, or more where X has no level of its own; at most {@link #replicas}
   */
  public int asked(int read) {
    return level(read).replicas(replicas);
  }

  /** Replicas that reads of a choice are sent to, in the mean. */
  public double mean(ReadChoice choice) {
    double share = choice.shareAbove();
    return share == 0
        ? asked(choice.replicas())
        : (1 - share) * asked(choice.replicas()) + share * asked(choice.replicas() + 1);
  }
}
