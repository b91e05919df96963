package org.calando.store.cassandra.internal.ring;

import java.math.BigInteger;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.calando.core.FailedWorkException;
import org.calando.store.cassandra.MovePace;
import org.calando.store.cassandra.RingNode;
import org.calando.store.cassandra.RingView;
import org.calando.store.cassandra.RingView.Sight;
import org.calando.store.cassandra.RingView.Streams;
import org.calando.store.cassandra.TokenMover;
import org.calando.store.cassandra.TokenMover.End;
import org.calando.store.cassandra.TokenMover.Ended;
import org.calando.store.cassandra.internal.Place;
import org.calando.store.cassandra.internal.Quiet;
import org.jspecify.annotations.Nullable;

/*
 * What counts is what the nodes tell, never how the order ended: the way to the node may break while
 * it goes on by itself, and an earlier process may have given the order. So a node that is moving to
 * the wanted token is watched, and never told a second time. A node that gave up stays MOVING until
 * it is restarted, with its old token and its data: nothing is done about that here.
 */
/** Moves one node and watches it until all nodes agree that it has arrived. Not thread safe. */
final class TokenMove {
  private static final long LOOK_NANOS = 1_000_000_000L;

  /** A node waits its ring delay, 30 s by default, and may repair Paxos before it streams. */
  private static final long STUCK_NANOS = 600_000_000_000L;

  /** What the nodes tell is asked one after the other: a move may end between two answers. */
  private static final int LOOKS_AT_REST = 2;

  private final RingNode node;
  private final BigInteger from;
  private final BigInteger to;
  private final List<Place> others;
  private final RingView view;
  private final TokenMover mover;
  private final MovePace pace;
  private final long withinNanos;

  private long begun;
  private long lastSign;
  private long lastBytes;
  private long arrived;
  private long silent;
  private int atRest;

  /**
   * A move.
   *
   * @param from the node, and where the plan has it
   * @param to where it is to go
   * @param others where the plan has the other nodes meanwhile
   */
  TokenMove(Place from, BigInteger to, List<Place> others, MoveMeans means) {
    this.node = from.node();
    this.from = from.token();
    this.to = to;
    this.others = others;
    this.view = means.view();
    this.mover = means.mover();
    this.pace = means.pace();
    this.withinNanos = means.within().toNanos();
  }

  /**
   * Moves it, unless it has arrived or is on its way; blocks.
   *
   * @throws FailedWorkException if something stands in its way, it gives up, or takes too long
   * @throws InterruptedException if the watch is to end
   */
  void run() throws InterruptedException {
    pace.begun("move " + node.name() + " from " + from + " to " + to);
    Sight sight = view.look(node.hostId());
    requireAlone(sight, "; nothing was begun");
    Optional<BigInteger> target = sight.movingTo();
    if (target.isPresent() && !target.get().equals(to)) {
      // Moves cannot be called off: it comes to rest first, and then goes where it is to.
      watch(null, target.get());
      sight = view.look(node.hostId());
    }
    if (sight.movingTo().isPresent()) {
      Set<UUID> before = ended(view.streams());
      watch(null, to);
      sight = view.look(node.hostId());
      if (sight.token().equals(to)) {
        told(before);
        return;
      }
    } else if (sight.token().equals(to)) {
      watch(null, to);
      return;
    }
    order();
  }

  private void order() throws InterruptedException {
    Quiet.await(view, pace, "the move of " + node.name() + " to " + to);
    requireAsPlanned(view.tokens());
    Set<UUID> before = view.streams().received().keySet();
    CompletableFuture<Ended> order = mover.move(node, to).toCompletableFuture();
    watch(order, to);
    told(before);
  }

  private static Set<UUID> ended(Streams streams) {
    Set<UUID> ended = new HashSet<>(streams.received().keySet());
    ended.removeAll(streams.active());
    return ended;
  }

  /** The node has moved; what was streamed before does not count. */
  private void told(Set<UUID> before) {
    pace.moved(
        node.name(),
        view.streams().received().entrySet().stream()
            .filter(entry -> !before.contains(entry.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum());
  }

  /** Every node is where the plan has it: then nobody else moves them, and none is in between. */
  private void requireAsPlanned(Map<String, BigInteger> tokens) {
    requireAt(node, from, tokens);
    others.forEach(other -> requireAt(other.node(), other.token(), tokens));
    if (tokens.size() != others.size() + 1) {
      throw new FailedWorkException(
          "the cluster has "
              + tokens.size()
              + " nodes, and the plan is for "
              + (others.size() + 1)
              + "; nothing was begun",
          node.name(),
          "forget the plan by --abandon, and make a new one");
    }
  }

  private static void requireAt(RingNode node, BigInteger at, Map<String, BigInteger> tokens) {
    BigInteger token = tokens.get(node.hostId());
    if (!at.equals(token)) {
      throw new FailedWorkException(
          "has token " + token + ", and the plan has it at " + at + "; nothing was begun",
          node.name(),
          "somebody else has moved it: forget the plan by --abandon, and make a new one");
    }
  }

  /** Two plans at once would each make of the other's layout none: both stop. */
  private void requireAlone(Sight sight, String state) {
    if (!sight.alsoMoving().isEmpty()) {
      throw new FailedWorkException(
          String.join(", ", sight.alsoMoving()) + " is moving, by no step of this plan" + state,
          node.name(),
          "find who else moves nodes (another machine, or another CALANDO_STATE), wait until all"
              + " are at rest, and continue with --resume, or forget the plan by --abandon");
    }
  }

  /** Watches until the node is at rest at a token and all agree, or at rest without an order. */
  private void watch(@Nullable CompletableFuture<Ended> order, BigInteger target)
      throws InterruptedException {
    begun = pace.nanoTime();
    lastSign = begun;
    lastBytes = -1;
    arrived = 0;
    silent = 0;
    atRest = 0;
    while (!isOver(order, target)) {
      if (pace.nanoTime() - begun > withinNanos) {
        throw new FailedWorkException(
            "has not arrived within "
                + Duration.ofNanos(withinNanos).toSeconds()
                + " s; it continues by itself",
            node.name(),
            "watch it by nodetool netstats; then continue with --resume, with a longer --within");
      }
      pace.pause(LOOK_NANOS);
    }
  }

  private boolean isOver(@Nullable CompletableFuture<Ended> order, BigInteger target) {
    Sight sight;
    try {
      sight = view.look(node.hostId());
      silent = 0;
    } catch (FailedWorkException e) {
      patience(e);
      return false;
    }
    requireAlone(sight, "; " + node.name() + " continues by itself");
    if (sight.isNormal() && sight.token().equals(target)) {
      return isAgreed(sight);
    }
    Optional<Ended> ended =
        order != null && order.isDone() ? Optional.of(order.join()) : Optional.empty();
    atRest = sight.isNormal() && (order == null || ended.isPresent()) ? atRest + 1 : 0;
    if (atRest == LOOKS_AT_REST) {
      if (ended.isEmpty()) {
        return true;
      }
      throw new FailedWorkException(
          "is at rest and has not moved"
              + (ended.get().reason().isEmpty() ? "" : ": " + ended.get().reason()),
          node.name(),
          "see its system.log, then continue with --resume");
    }
    if (sight.isNormal() && pace.nanoTime() - begun > STUCK_NANOS) {
      throw new FailedWorkException(
          "has not begun to move 10 minutes after it was ordered to",
          node.name(),
          "check that it is reachable, and its system.log, then continue with --resume");
    }
    if (sight.movingTo().isPresent()) {
      if (ended.isPresent() && ended.get().end() == End.REFUSED) {
        throw stuck("gave up (" + ended.get().reason() + ") and stays in the state MOVING");
      }
      requireSigns(order == null || ended.isPresent());
    }
    return false;
  }

  private boolean isAgreed(Sight sight) {
    long now = pace.nanoTime();
    if (sight.doubt().isPresent()) {
      arrived = arrived == 0 ? now : arrived;
      if (now - arrived > Quiet.PATIENCE_NANOS) {
        throw new FailedWorkException(
            "has arrived, but " + sight.doubt().get(),
            node.name(),
            "check that all nodes run and reach each other, then continue with --resume");
      }
      pace.progress(node.name() + " has arrived; " + sight.doubt().get());
    }
    return sight.doubt().isEmpty();
  }

  private void patience(FailedWorkException e) {
    long now = pace.nanoTime();
    silent = silent == 0 ? now : silent;
    if (now - silent > Quiet.PATIENCE_NANOS) {
      throw new FailedWorkException(
          "does not answer any more: " + e.getMessage(),
          node.name(),
          "start it again; it then has its old token or the new one. Then continue with --resume",
          e);
    }
    pace.progress("waiting: " + node.name() + " does not answer");
  }

  /** Tells how far it is; a move that nobody carries out any more must not be waited for. */
  private void requireSigns(boolean nobodyWaits) {
    Streams streams = view.streams();
    long received = 0;
    long expected = 0;
    for (UUID id : streams.active()) {
      received += streams.received().getOrDefault(id, 0L);
      expected += streams.expected().getOrDefault(id, 0L);
    }
    long now = pace.nanoTime();
    if (!streams.active().isEmpty() && received != lastBytes) {
      lastSign = now;
      lastBytes = received;
    }
    if (nobodyWaits && now - lastSign > STUCK_NANOS) {
      throw stuck("is in the state MOVING, and nothing has been streamed for 10 minutes");
    }
    pace.progress(
        streams.active().isEmpty()
            ? node.name() + " is moving; nothing is streamed now"
            : "%s is moving: %,d of %,d bytes".formatted(node.name(), received, expected));
  }

  private FailedWorkException stuck(String what) {
    return new FailedWorkException(
        what,
        node.name(),
        "see its system.log, fix the cause, restart the node (it then has its old token and"
            + " all its data), and continue with --resume");
  }
}
