package org.calando.core.layout;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.core.BadRequestException;

/*
 * Nodes keep their order on the ring. On the unrolled ring let x be where the nodes are and p where
 * they are to go; both rise from node to node, and their last is less than a ring beyond their first.
 *
 * A move that passes nobody's token costs just the arc that it covers, with replicas on successive
 * nodes: forward, the node itself gains the arc as a replica; backward, the node that had been next
 * in line for its range does. So all moves together cost the sum of |p - x|, in any order that lets
 * no node pass another. Turning the whole layout changes nobody's share of it, but this sum, which
 * is least if the layout is turned by the median of x - p. Which node takes the layout's first place
 * is then still open: the one with which the sum is least, and of equals the one with the least
 * token, then the next. So a cluster that is in a layout, however turned, has nothing to move.
 *
 * Such an order exists: a node that goes forward waits only for the next one, if that goes forward
 * too (it stands where the first is to go, and is to go farther), and likewise backward. As the
 * median move is nil, the nodes of a direction cannot all wait for each other around the ring.
 */
/**
 * How the nodes of a live cluster, with one token each, get to the places of a layout: one move
 * after another, none of which passes another node's token, with the layout turned so that least is
 * streamed. Immutable.
 */
public final class MovePlan {
  /** The most nodes that a plan is made for. */
  public static final int MAX_NODES = 1000;

  private final List<Move> moves;
  private final List<BigInteger> tokens;
  private final Fraction change;

  /**
   * A node gets another token.
   *
   * @param node its number, from 1
   * @param from its token before
   * @param to its token afterwards
   * @param received by node, what it must be sent: keys of which it becomes a replica, as a share
   *     of all keys
   */
  public record Move(int node, BigInteger from, BigInteger to, Map<Integer, Fraction> received) {
    /** Copies the map, in the order of the nodes. */
    public Move {
      received = Collections.unmodifiableMap(new TreeMap<>(received));
    }

    /** What is streamed, as a share of all keys with one replica each. */
    public Fraction streamed() {
      return sum(received.values());
    }
  }

  private MovePlan(List<Move> moves, List<BigInteger> tokens, Fraction change) {
    this.moves = List.copyOf(moves);
    this.tokens = List.copyOf(tokens);
    this.change = change;
  }

  /**
   * The plan.
   *
   * @param layout where the nodes are to go
   * @param partitioner of the cluster
   * @param tokens the present ones, of node 1, 2 and so on
   * @param placement of the replicas
   * @throws BadRequestException if there are too many tokens or not as many as nodes of the layout,
   *     or they are not different ones of the partitioner
   */
  public static MovePlan of(
      TokenLayout layout, Partitioner partitioner, List<BigInteger> tokens, Placement placement) {
    check(layout, partitioner, tokens);
    return new Making(layout, partitioner, tokens, placement).plan();
  }

  private static void check(TokenLayout layout, Partitioner partitioner, List<BigInteger> tokens) {
    if (tokens.size() != layout.nodes()) {
      throw new BadRequestException(
          tokens.size() + " tokens for " + layout.nodes() + " nodes",
          "tokens",
          "give one token a node");
    }
    if (tokens.size() > MAX_NODES) {
      throw new BadRequestException(
          "there is no plan for " + tokens.size() + " nodes", "nodes", "write 1 to " + MAX_NODES);
    }
    for (BigInteger token : tokens) {
      if (!partitioner.has(token)) {
        throw new BadRequestException(
            token + " is no token of " + partitioner.className(),
            "tokens",
            "give those that nodetool ring shows, or name the other partitioner");
      }
    }
  }

  /** The moves in their order; nodes that are where they belong have none. */
  public List<Move> moves() {
    return moves;
  }

  /** The tokens after all moves, of node 1, 2 and so on. */
  public List<BigInteger> tokens() {
    return tokens;
  }

  /** What all moves stream, as a share of all keys with one replica each; may be above 1. */
  public Fraction streamed() {
    return sum(moves.stream().map(Move::streamed).toList());
  }

  /**
   * What would have to be streamed if all nodes could change their tokens at once: the least that
   * any order of moves to these tokens costs.
   */
  public Fraction change() {
    return change;
  }

  private static Fraction sum(Collection<Fraction> shares) {
    return shares.stream().reduce(Fraction.ZERO, Fraction::plus);
  }

  /** A plan that is being made. */
  private static final class Making {
    private final Partitioner partitioner;
    private final Placement placement;
    private final BigInteger size;
    private final List<BigInteger> tokens;
    private final TokenRing first;
    private final int nodes;
    private final BigInteger[] here;
    private final BigInteger[] there;

    Making(
        TokenLayout layout, Partitioner partitioner, List<BigInteger> tokens, Placement placement) {
      this.partitioner = partitioner;
      this.placement = placement;
      this.size = partitioner.ringSize();
      this.tokens = new ArrayList<>(tokens);
      this.first = TokenRing.of(size, tokens);
      this.nodes = tokens.size();
      this.here = new BigInteger[nodes];
      this.there = new BigInteger[nodes];
      Arrays.setAll(here, first::token);
      BigInteger[] places = new BigInteger[nodes];
      Arrays.setAll(places, i -> layout.token(i + 1, partitioner));
      turn(places, cheapestFirst(places));
    }

    /** The place that the node with the least token takes, from 0. */
    private int cheapestFirst(BigInteger[] places) {
      BigInteger[] costs = new BigInteger[nodes];
      Arrays.setAll(costs, place -> cost(places, place));
      BigInteger least = Collections.min(Arrays.asList(costs));
      // Tokens are rounded: what is a token or two a node more is no more.
      BigInteger bound = least.add(BigInteger.valueOf(2L * nodes));
      // From the last place on, so that of equals the least node that is first decides.
      int best = 0;
      for (int place = nodes; costs[best].compareTo(bound) > 0; ) {
        best = --place;
      }
      return best;
    }

    private BigInteger cost(BigInteger[] places, int place) {
      BigInteger[] away = away(places, place);
      BigInteger median = away[nodes / 2];
      return Arrays.stream(away)
          .map(each -> each.subtract(median).abs())
          .reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** What nodes are beyond their places, least first. */
    private BigInteger[] away(BigInteger[] places, int place) {
      BigInteger[] away = new BigInteger[nodes];
      Arrays.setAll(away, i -> here[i].subtract(target(places, place, i)));
      Arrays.sort(away);
      return away;
    }

    private BigInteger target(BigInteger[] places, int place, int i) {
      return i + place < nodes ? places[i + place] : places[i + place - nodes].add(size);
    }

    /** Turns the layout by the median of what it is away. */
    private void turn(BigInteger[] places, int place) {
      BigInteger median = away(places, place)[nodes / 2];
      // Rounding to whole tokens is no reason to move: a node that is one off is where it belongs.
      for (int i = 0; i < nodes; i++) {
        BigInteger target = target(places, place, i).add(median);
        boolean arrived = target.subtract(here[i]).abs().compareTo(BigInteger.ONE) <= 0;
        there[i] = arrived ? here[i] : target;
      }
    }

    MovePlan plan() {
      List<Move> moves = new ArrayList<>();
      TokenRing ring = first;
      for (int i = next(); i < nodes; i = next()) {
        int node = first.node(i);
        BigInteger from = tokens.get(node - 1);
        BigInteger to = partitioner.wrap(there[i]);
        here[i] = there[i];
        tokens.set(node - 1, to);
        TokenRing after = TokenRing.of(size, tokens);
        moves.add(new Move(node, from, to, shares(RingChange.gained(ring, after, placement))));
        ring = after;
      }
      return new MovePlan(
          moves, tokens, sum(shares(RingChange.gained(first, ring, placement)).values()));
    }

    /** The first node that is not where it belongs and need not wait; all nodes if none is left. */
    private int next() {
      boolean done = true;
      for (int i = 0; i < nodes; i++) {
        if (!here[i].equals(there[i])) {
          if (isFree(i)) {
            return i;
          }
          done = false;
        }
      }
      if (!done) {
        throw new IllegalStateException("nodes wait for each other: " + Arrays.toString(here));
      }
      return nodes;
    }

    /** Whether the next node's token, in the direction of the move, is beyond its end. */
    private boolean isFree(int i) {
      if (nodes == 1) {
        return true;
      }
      if (there[i].compareTo(here[i]) > 0) {
        BigInteger next = i + 1 < nodes ? here[i + 1] : here[0].add(size);
        return there[i].compareTo(next) < 0;
      }
      BigInteger previous = i > 0 ? here[i - 1] : here[nodes - 1].subtract(size);
      return there[i].compareTo(previous) > 0;
    }

    private Map<Integer, Fraction> shares(Map<Integer, BigInteger> gained) {
      Map<Integer, Fraction> shares = new TreeMap<>();
      gained.forEach((node, length) -> shares.put(node, new Fraction(length, size)));
      return shares;
    }
  }
}
