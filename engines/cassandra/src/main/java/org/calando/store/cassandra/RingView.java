package org.calando.store.cassandra;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What the nodes of a live cluster tell of their ring. Blocks, some seconds at most. */
public interface RingView {
  /**
   * One node as it sees itself and as the others see it.
   *
   * @param token its own token
   * @param state its state in its own gossip: {@code NORMAL}, {@code MOVING}, ...
   * @param movingTo the token that it is moving to, if it is
   * @param doubt which other node sees it otherwise, or does not answer; empty if all agree
   * @param alsoMoving names of other nodes that are moving, as they tell it themselves
   */
  record Sight(
      BigInteger token,
      String state,
      Optional<BigInteger> movingTo,
      Optional<String> doubt,
      List<String> alsoMoving) {
    /** Copies the list. */
    public Sight {
      alsoMoving = List.copyOf(alsoMoving);
    }

    /** Whether it is at rest. */
    public boolean isNormal() {
      return state.equals("NORMAL");
    }
  }

  /**
   * What nodes stream to each other for moves, by stream.
   *
   * @param received bytes that have arrived, over all nodes
   * @param expected bytes that are to arrive, so far as is known
   * @param active streams that have not ended
   */
  record Streams(Map<UUID, Long> received, Map<UUID, Long> expected, Set<UUID> active) {
    /** Copies the collections. */
    public Streams {
      received = Map.copyOf(received);
      expected = Map.copyOf(expected);
      active = Set.copyOf(active);
    }
  }

  /**
   * Why no node may be moved now: one that does not answer or is not at rest, another view of the
   * ring, another schema, streams under way. Empty if nothing stands in the way.
   */
  Optional<String> obstacle();

  /**
   * Looks at a node.
   *
   * @throws org.calando.core.FailedWorkException if it does not answer
   */
  Sight look(String hostId);

  /**
   * The tokens of all nodes, by host id, as they tell them themselves.
   *
   * @throws org.calando.core.FailedWorkException if one does not answer
   */
  Map<String, BigInteger> tokens();

  /** Names of the nodes that are moving, as they tell it themselves. */
  List<String> moving();

  /** Streams of moves since the nodes' starts, those of nodes that answer. */
  Streams streams();
}
