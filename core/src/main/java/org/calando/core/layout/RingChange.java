package org.calando.core.layout;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What nodes must be sent when a ring becomes another one of the same nodes. */
final class RingChange {
  private RingChange() {}

  /**
   * What each node holds on the second ring and not on the first.
   *
   * @param before tokens of the same range of numbers as those of {@code after}
   * @return tokens by node, for the nodes that gain any
   */
  static Map<Integer, BigInteger> gained(TokenRing before, TokenRing after, Placement placement) {
    SortedSet<BigInteger> ends = new TreeSet<>(tokens(before));
    ends.addAll(tokens(after));
    Map<Integer, BigInteger> gained = new TreeMap<>();
    BigInteger begin = ends.last().subtract(before.size());
    int old = 0;
    int now = 0;
    for (BigInteger end : ends) {
      old = owner(before, old, end);
      now = owner(after, now, end);
      BigInteger length = end.subtract(begin);
      begin = end;
      int[] had = placement.replicas(before, old % before.nodes());
      for (int node : placement.replicas(after, now % after.nodes())) {
        if (Arrays.stream(had).noneMatch(other -> other == node)) {
          gained.merge(node, length, BigInteger::add);
        }
      }
    }
    return Collections.unmodifiableMap(gained);
  }

  private static List<BigInteger> tokens(TokenRing ring) {
    List<BigInteger> tokens = new ArrayList<>(ring.nodes());
    for (int position = 0; position < ring.nodes(); position++) {
      tokens.add(ring.token(position));
    }
    return tokens;
  }

  /** The first position from one on whose token is not below; the nodes' number behind the last. */
  private static int owner(TokenRing ring, int from, BigInteger token) {
    int position = from;
    while (position < ring.nodes() && ring.token(position).compareTo(token) < 0) {
      position++;
    }
    return position;
  }
}
