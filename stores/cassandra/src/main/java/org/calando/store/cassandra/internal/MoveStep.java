package org.calando.store.cassandra.internal;

import java.math.BigInteger;
import java.time.Duration;
import org.calando.core.policy.Plan;
import org.calando.store.cassandra.MovePace;
import org.calando.store.cassandra.RingNode;
import org.calando.store.cassandra.RingView;
import org.calando.store.cassandra.TokenMover;

/** One node gets another token. Not thread safe. */
public final class MoveStep implements Plan.Action {
  private final RingNode node;
  private final BigInteger from;
  private final BigInteger to;
  private final RingView view;
  private final TokenMover mover;
  private final MovePace pace;
  private final Duration within;

  /** A step of {@link org.calando.store.cassandra.TokenKnob}. */
  public MoveStep(
      RingNode node,
      BigInteger from,
      BigInteger to,
      RingView view,
      TokenMover mover,
      MovePace pace,
      Duration within) {
    this.node = node;
    this.from = from;
    this.to = to;
    this.view = view;
    this.mover = mover;
    this.pace = pace;
    this.within = within;
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
    new TokenMove(node, from, to, view, mover, pace, within).run();
  }

  @Override
  public boolean isDone() {
    RingView.Sight sight = view.look(node.hostId());
    return sight.isNormal() && sight.token().equals(to) && sight.doubt().isEmpty();
  }

  @Override
  public void undo() throws InterruptedException {
    new TokenMove(node, to, from, view, mover, pace, within).run();
  }
}
