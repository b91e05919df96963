package org.calando.core.layout;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.calando.core.BadRequestException;

/*
 * The algorithms of Li 2013, section 4.2, as they must be meant. The ring is cut at M evenly spaced
 * places, 0 to M - 1, for N nodes of which M - N are warm, and a node owns what lies between the
 * place before its own and its own. Warm node j is printed at place 2(j - 1), which leaves the
 * first node one part and overlaps the last: it is 2j - 1 here. A cool node is printed at place
 * k + M - N - 1 with a k that is defined nowhere: it is j. So the places taken, in order, are each
 * the sum of the parts up to there, less one, and that holds for any order of warm and cool nodes.
 */
/**
 * Which place of the ring each node has, so that a warm node owns two parts and a cool one owns one
 * (Li 2013, algorithms 1 to 4). Nodes are numbered from 1, in the order of the ring. Immutable.
 */
public final class TokenLayout {
  /** The most nodes that a layout is made for. */
  public static final int MAX_NODES = 10_000;

  private static final int WARM_PARTS = 2;
  private static final int COOL_PARTS = 1;

  private final int[] places;
  private final boolean[] warm;
  private final int warmNodes;

  private TokenLayout(int nodes, int warmNodes, Arrangement arrangement) {
    this.places = new int[nodes];
    this.warm = new boolean[nodes];
    this.warmNodes = warmNodes;
    int parts = 0;
    for (int i = 0; i < nodes; i++) {
      warm[i] = arrangement.isWarm(i, nodes, warmNodes);
      parts += warm[i] ? WARM_PARTS : COOL_PARTS;
      places[i] = parts - 1;
    }
  }

  /**
   * The layout of a share of warm nodes.
   *
   * @param nodes 1 to {@link #MAX_NODES}
   * @throws BadRequestException if there cannot be such a layout
   */
  public static TokenLayout of(int nodes, WarmShare share, Arrangement arrangement) {
    return new TokenLayout(nodes, share.warmNodes(nodes), arrangement);
  }

  static void checkNodes(int nodes) {
    if (nodes < 1 || nodes > MAX_NODES) {
      throw new BadRequestException(
          "there is no layout for " + nodes + " nodes", "nodes", "write 1 to " + MAX_NODES);
    }
  }

  /** N: the nodes. */
  public int nodes() {
    return places.length;
  }

  /** M: the equal parts that the ring is cut into, one more than the nodes for each warm one. */
  public int parts() {
    return nodes() + warmNodes;
  }

  /** Number of warm nodes, M - N. */
  public int warmNodes() {
    return warmNodes;
  }

  /**
   * Whether a node is in the warm pool. Without warm nodes there are no pools.
   *
   * @param node 1 to N
   */
  public boolean isWarm(int node) {
    return warm[node - 1];
  }

  /**
   * A node's place on the ring.
   *
   * @param node 1 to N
   * @return 0 to M - 1, rising with the node's number
   */
  public int place(int node) {
    return places[node - 1];
  }

  /**
   * The parts of the ring that a node owns as the first replica.
   *
   * @param node 1 to N
   * @return 2 if it is warm, else 1
   */
  public int ownedParts(int node) {
    return isWarm(node) ? WARM_PARTS : COOL_PARTS;
  }

  /**
   * The share of the ring that a node owns; its range of whole tokens differs from that by less
   * than one token at either end.
   *
   * @param node 1 to N
   */
  public Fraction ownership(int node) {
    return Fraction.of(ownedParts(node), parts());
  }

  /**
   * A node's token.
   *
   * @param node 1 to N
   */
  public BigInteger token(int node, Partitioner partitioner) {
    return partitioner.token(place(node), parts());
  }

  /**
   * A node's token where the whole layout is turned by half a part. Nobody's ownership changes, and
   * no node has the least token, which Murmur3 reserves as the minimum that no key has.
   *
   * @param node 1 to N
   */
  public BigInteger turnedToken(int node, Partitioner partitioner) {
    return partitioner.token(2 * place(node) + 1, 2 * parts());
  }

  /** The ring in units of parts. */
  public TokenRing ring() {
    List<BigInteger> tokens = new ArrayList<>(nodes());
    for (int place : places) {
      tokens.add(BigInteger.valueOf(place));
    }
    return TokenRing.of(BigInteger.valueOf(parts()), tokens);
  }
}
