package org.calando.core.layout;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What moves stream in a cluster whose keyspaces are replicated each in its own way, and what the
 * nodes own and hold before and afterwards. Keys are taken to be spread evenly over the tokens.
 * Immutable.
 */
public final class MoveForecast {
  private final TokenRing before;
  private final TokenRing after;
  private final List<Part> parts;
  private final List<Step> steps;

  /**
   * Data that is replicated in one way.
   *
   * @param placement of its replicas
   * @param bytes its size with one replica of each key, 0 or more
   */
  public record Part(Placement placement, long bytes) {}

  /**
   * One node gets another token.
   *
   * @param node its number, from 1
   * @param from its token before
   * @param to its token afterwards
   * @param received bytes by the node that becomes a replica of them, and so is sent them
   * @param given bytes by the node that is no longer a replica of them. Of a move that passes no
   *     other token they are what others receive, key by key: with consistent range movement, the
   *     default of Cassandra, it is these nodes that send
   */
  public record Step(
      int node,
      BigInteger from,
      BigInteger to,
      Map<Integer, Long> received,
      Map<Integer, Long> given) {
    /** Copies the maps, in the order of the nodes. */
    public Step {
      received = Collections.unmodifiableMap(new TreeMap<>(received));
      given = Collections.unmodifiableMap(new TreeMap<>(given));
    }

    /** All that is streamed, in bytes. */
    public long streamedBytes() {
      return received.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private MoveForecast(TokenRing before, TokenRing after, List<Part> parts, List<Step> steps) {
    this.before = before;
    this.after = after;
    this.parts = parts;
    this.steps = List.copyOf(steps);
  }

  /**
   * The forecast.
   *
   * @param partitioner of the cluster
   * @param tokens the present ones, of node 1, 2 and so on
   * @param targets the tokens that nodes get, in the order of the moves; by number of the node
   * @param parts the data
   * @throws org.calando.core.BadRequestException if two nodes would have the same token
   */
  public static MoveForecast of(
      Partitioner partitioner,
      List<BigInteger> tokens,
      List<Map.Entry<Integer, BigInteger>> targets,
      List<Part> parts) {
    List<BigInteger> now = new ArrayList<>(tokens);
    TokenRing before = TokenRing.of(partitioner.ringSize(), now);
    TokenRing ring = before;
    List<Step> steps = new ArrayList<>();
    for (Map.Entry<Integer, BigInteger> target : targets) {
      int node = target.getKey();
      BigInteger from = now.set(node - 1, target.getValue());
      TokenRing next = TokenRing.of(partitioner.ringSize(), now);
      steps.add(
          new Step(
              node, from, target.getValue(), bytes(ring, next, parts), bytes(next, ring, parts)));
      ring = next;
    }
    return new MoveForecast(before, ring, List.copyOf(parts), steps);
  }

  /** The moves in their order. */
  public List<Step> steps() {
    return steps;
  }

  /** All that all moves stream, in bytes. */
  public long streamedBytes() {
    return steps.stream().mapToLong(Step::streamedBytes).sum();
  }

  /**
   * The share of the ring that a node owns before the moves.
   *
   * @param node 1 to N
   */
  public Fraction ownedBefore(int node) {
    return owned(before, node);
  }

  /** As {@link #ownedBefore}, after the moves. */
  public Fraction ownedAfter(int node) {
    return owned(after, node);
  }

  /**
   * What a node holds as a replica before the moves, in bytes; what earlier moves left on it does
   * not count.
   *
   * @param node 1 to N
   */
  public long heldBefore(int node) {
    return held(before, node);
  }

  /** As {@link #heldBefore}, after the moves and a cleanup. */
  public long heldAfter(int node) {
    return held(after, node);
  }

  private static Map<Integer, Long> bytes(TokenRing from, TokenRing to, List<Part> parts) {
    Map<Integer, Long> bytes = new TreeMap<>();
    for (Part part : parts) {
      RingChange.gained(from, to, part.placement())
          .forEach(
              (node, tokens) ->
                  bytes.merge(
                      node, times(new Fraction(tokens, to.size()), part.bytes()), Long::sum));
    }
    return bytes;
  }

  private static Fraction owned(TokenRing ring, int node) {
    for (int position = 0; position < ring.nodes(); position++) {
      if (ring.node(position) == node) {
        return new Fraction(ring.range(position), ring.size());
      }
    }
    throw new IllegalArgumentException("node " + node + " of " + ring.nodes());
  }

  private long held(TokenRing ring, int node) {
    return parts.stream()
        .mapToLong(part -> times(ReplicaLoad.of(ring, part.placement()).held(node), part.bytes()))
        .sum();
  }

  /** A share of so many bytes, to the nearest one. */
  private static long times(Fraction share, long bytes) {
    return new BigDecimal(share.numerator())
        .multiply(BigDecimal.valueOf(bytes))
        .divide(new BigDecimal(share.denominator()), 0, RoundingMode.HALF_UP)
        .longValueExact();
  }
}
