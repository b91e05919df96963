package org.calando.cli.layout;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.MoveForecast;
import org.calando.core.layout.MovePlan;
import org.calando.core.layout.Placement;
import org.calando.core.layout.RingTokens;
import org.calando.core.layout.TokenLayout;
import org.calando.core.layout.WarmShare;
import org.calando.store.cassandra.RingNode;
import org.calando.store.cassandra.RingState;

/**
 * Where the nodes of a live cluster are to go, and what that streams. Immutable.
 *
 * @param ring the cluster as it is
 * @param label the layout, in words
 * @param to the tokens afterwards, and in which order nodes move
 * @param forecast of the moves that are left
 */
record LiveMovePlan(RingState ring, String label, RingTokens to, MoveForecast forecast) {
  /**
   * A new plan.
   *
   * @throws org.calando.core.BadRequestException if the cluster cannot have the layout
   */
  static LiveMovePlan of(
      RingState ring, WarmShare share, Arrangement arrangement, String label, boolean cleanup) {
    int nodes = ring.nodes().size();
    List<BigInteger> tokens = ring.nodes().stream().map(node -> node.tokens().get(0)).toList();
    MovePlan moves =
        MovePlan.of(
            TokenLayout.of(nodes, share, arrangement),
            ring.partitioner(),
            tokens,
            Placement.simple(nodes, 1));
    Map<String, BigInteger> after = new TreeMap<>();
    for (int i = 0; i < nodes; i++) {
      after.put(ring.nodes().get(i).hostId(), moves.tokens().get(i));
    }
    List<String> order =
        moves.moves().stream().map(move -> ring.nodes().get(move.node() - 1).hostId()).toList();
    return of(ring, label, new RingTokens(label, after, order, cleanup));
  }

  /** What is left of a plan that was begun. */
  static LiveMovePlan of(RingState ring, String label, RingTokens to) {
    Map<String, BigInteger> now = ring.tokens();
    List<Map.Entry<Integer, BigInteger>> targets = new ArrayList<>();
    Map<String, Integer> numbers = new HashMap<>();
    for (RingNode node : ring.nodes()) {
      numbers.put(node.hostId(), numbers.size() + 1);
    }
    for (String host : to.order()) {
      BigInteger target = to.tokens().getOrDefault(host, BigInteger.ZERO);
      if (numbers.containsKey(host) && !target.equals(now.get(host))) {
        targets.add(Map.entry(numbers.get(host), target));
      }
    }
    List<BigInteger> tokens = ring.nodes().stream().map(node -> node.tokens().get(0)).toList();
    return new LiveMovePlan(
        ring, label, to, MoveForecast.of(ring.partitioner(), tokens, targets, ring.parts()));
  }

  /** What is left to take a plan back, which leads to other tokens the same way round. */
  static LiveMovePlan back(RingState ring, RingTokens before, RingTokens to) {
    List<String> order = new ArrayList<>(to.order());
    Collections.reverse(order);
    return of(ring, "the tokens before", new RingTokens("", before.tokens(), order, false));
  }

  /** Whether nobody has to move or to clean up. */
  boolean isEmpty() {
    return forecast.steps().isEmpty() && !to.cleanup();
  }
}
