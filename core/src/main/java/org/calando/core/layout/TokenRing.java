package org.calando.core.layout;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.calando.core.BadRequestException;

/**
 * Nodes on a ring, one token each: a node owns what lies behind the token before its own, up to and
 * with its own. Immutable.
 */
public final class TokenRing {
  private final BigInteger size;
  private final BigInteger[] tokens;
  private final int[] nodes;

  private TokenRing(BigInteger size, BigInteger[] tokens, int[] nodes) {
    this.size = size;
    this.tokens = tokens;
    this.nodes = nodes;
  }

  /**
   * The ring of given tokens.
   *
   * @param size number of tokens there are, such as {@link Partitioner#ringSize}
   * @param tokens of node 1, 2 and so on; all from a range of {@code size} numbers; not empty
   * @throws BadRequestException if two nodes have the same token, or tokens are farther apart than
   *     the ring is long
   */
  public static TokenRing of(BigInteger size, List<BigInteger> tokens) {
    Integer[] order = new Integer[tokens.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparing(tokens::get));
    BigInteger[] sorted = new BigInteger[order.length];
    int[] nodes = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      sorted[i] = tokens.get(order[i]);
      nodes[i] = order[i] + 1;
      if (i > 0 && sorted[i].equals(sorted[i - 1])) {
        throw new BadRequestException(
            "nodes " + nodes[i - 1] + " and " + nodes[i] + " both have token " + sorted[i],
            "tokens",
            "give every node a token of its own");
      }
    }
    if (sorted[sorted.length - 1].subtract(sorted[0]).compareTo(size) >= 0) {
      throw new BadRequestException(
          "tokens " + sorted[0] + " and " + sorted[sorted.length - 1] + " are not of one ring",
          "tokens",
          "give tokens of one partitioner");
    }
    return new TokenRing(size, sorted, nodes);
  }

  /** Number of tokens there are. */
  public BigInteger size() {
    return size;
  }

  /** Number of nodes. */
  public int nodes() {
    return nodes.length;
  }

  /**
   * The node at a position.
   *
   * @param position counted along the ring from the least token, from 0; goes round after the last
   * @return the node's number, from 1
   */
  public int node(int position) {
    return nodes[position % nodes.length];
  }

  /** The token of the node at a position, 0 to N - 1. */
  public BigInteger token(int position) {
    return tokens[position];
  }

  /** The length of the range that the node at a position owns, in tokens. */
  public BigInteger range(int position) {
    if (nodes.length == 1) {
      return size;
    }
    return position > 0
        ? tokens[position].subtract(tokens[position - 1])
        : tokens[0].subtract(tokens[nodes.length - 1]).add(size);
  }
}
