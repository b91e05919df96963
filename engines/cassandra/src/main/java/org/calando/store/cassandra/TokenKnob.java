package org.calando.store.cassandra;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.layout.RingTokens;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.calando.store.cassandra.internal.ring.CleanupStep;
import org.calando.store.cassandra.internal.ring.MoveMeans;
import org.calando.store.cassandra.internal.ring.MoveStep;

/**
 * The places of a live cluster's nodes on the ring: one move after another, each read back from all
 * nodes. Durable: nodes keep their tokens. Not thread safe.
 */
public final class TokenKnob implements Knob<RingTokens> {
  private final RingState ring;
  private final MoveMeans means;

  /**
   * A knob.
   *
   * @param ring the cluster, of which only the nodes matter
   * @param view what it tells now
   * @param mover has nodes move
   * @param pace of the watch
   * @param within how long one move may take
   */
  public TokenKnob(
      RingState ring, RingView view, TokenMover mover, MovePace pace, Duration within) {
    this.ring = ring;
    this.means = new MoveMeans(view, mover, pace, within);
  }

  @Override
  public KnobId<RingTokens> id() {
    return KnobId.TOKENS;
  }

  @Override
  public String target() {
    return ring.target();
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.DURABLE;
  }

  @Override
  public RingTokens current() {
    return RingTokens.now(means.view().tokens());
  }

  /**
   * {@inheritDoc}
   *
   * @throws BadRequestException if the tokens are not those of this cluster's nodes
   */
  @Override
  public Plan plan(RingTokens from, RingTokens to) {
    Map<String, RingNode> nodes =
        ring.nodes().stream().collect(Collectors.toMap(RingNode::hostId, Function.identity()));
    if (!nodes.keySet().equals(from.tokens().keySet())
        || !nodes.keySet().equals(to.tokens().keySet())) {
      throw new BadRequestException(
          "the plan is for other nodes than the cluster has now",
          "cluster " + ring.cluster(),
          "make a new plan");
    }
    List<Plan.Action> steps = new ArrayList<>();
    to.order().forEach(host -> steps.add(new MoveStep(host, nodes, from, to, means)));
    if (to.cleanup()) {
      ring.nodes().forEach(node -> steps.add(new CleanupStep(node, means)));
    }
    return new Plan(id().name(), target(), to.text(), steps);
  }
}
