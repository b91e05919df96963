package org.calando.store.cassandra.internal.ring;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.calando.core.layout.RingTokens;
import org.calando.core.policy.Plan;
import org.calando.store.cassandra.RingNode;
import org.calando.store.cassandra.RingView;
import org.calando.store.cassandra.internal.Place;

/** One node gets another token. Not thread safe. */
public final class MoveStep implements Plan.Action {
  private final RingNode node;
  private final BigInteger from;
  private final BigInteger to;
  private final List<Place> others;
  private final MoveMeans means;

  /**
   * A step of {@link org.calando.store.cassandra.TokenKnob}.
   *
   * @param host the node's host id
   * @param nodes all of them by host id
   * @param from where they are before the plan
   * @param to where they are to go, and in which order
   */
  public MoveStep(
      String host, Map<String, RingNode> nodes, RingTokens from, RingTokens to, MoveMeans means) {
    this.node = Objects.requireNonNull(nodes.get(host));
    this.from = Objects.requireNonNull(from.tokens().get(host));
    this.to = Objects.requireNonNull(to.tokens().get(host));
    this.others = others(host, nodes, from, to);
    this.means = means;
  }

  /** Nodes before this one have moved, and those after it have not: forwards and back. */
  private static List<Place> others(
      String host, Map<String, RingNode> nodes, RingTokens from, RingTokens to) {
    List<String> moved = to.order().subList(0, to.order().indexOf(host));
    List<Place> others = new ArrayList<>();
    nodes.forEach(
        (other, its) -> {
          if (!other.equals(host)) {
            RingTokens at = moved.contains(other) ? to : from;
            others.add(new Place(its, Objects.requireNonNull(at.tokens().get(other))));
          }
        });
    return others;
  }

  @Override
  public String name() {
    return "move-" + node.hostId();
  }

  @Override
  public String describe() {
    return "move " + node.name() + " from " + from + " to " + to;
  }

  @Override
  public void perform() throws InterruptedException {
    new TokenMove(new Place(node, from), to, others, means).run();
  }

  @Override
  public boolean isDone() {
    RingView.Sight sight = means.view().look(node.hostId());
    return sight.isNormal() && sight.token().equals(to) && sight.doubt().isEmpty();
  }

  @Override
  public void undo() throws InterruptedException {
    new TokenMove(new Place(node, to), from, others, means).run();
  }
}
