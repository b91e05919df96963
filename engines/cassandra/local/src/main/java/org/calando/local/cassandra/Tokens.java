package org.calando.local.cassandra;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.TokenLayout;

/** Token and rack lay-out of a local cluster. */
final class Tokens {
  private Tokens() {}

  /**
   * One Murmur3 token a node, as a layout has them, turned by half a part: so none is -2^63, which
   * the partitioner reserves as the minimum that no key has.
   *
   * <p>Node i stands at position i, and its rack is i modulo the racks, so neighbours are in
   * different racks. With n = 1 modulo the racks the last node would meet the first, of its own
   * rack, around the ring: the last two nodes then change places.
   */
  static List<List<String>> of(TokenLayout layout, int racks) {
    int nodes = layout.nodes();
    List<List<String>> tokens = new ArrayList<>();
    for (int node = 1; node <= nodes; node++) {
      int position = node;
      if (racks > 2 && nodes > racks && nodes % racks == 1 && node >= nodes - 1) {
        position = 2 * nodes - 1 - node;
      }
      tokens.add(List.of(layout.turnedToken(position, Partitioner.MURMUR3).toString()));
    }
    return tokens;
  }

  /** The rack of a node, counted from 0: racks take turns. */
  static String rack(int node, int racks) {
    return "r" + (node % racks + 1);
  }

  /**
   * Reads tokens given by a user: one entry a node, several tokens of a node separated by commas.
   *
   * @throws BadRequestException if the number of entries is not that of the nodes, or a token is no
   *     64-bit number or given twice
   */
  static List<List<String>> parse(List<String> entries, int nodes) {
    if (entries.size() != nodes) {
      throw new BadRequestException(
          entries.size() + " entries for " + nodes + " nodes", "tokens", "give one entry a node");
    }
    List<List<String>> tokens = new ArrayList<>();
    List<Long> seen = new ArrayList<>();
    for (String entry : entries) {
      List<String> ofNode = new ArrayList<>();
      for (String text : entry.split(",", -1)) {
        long token = parseOne(text.trim());
        if (seen.contains(token)) {
          throw new BadRequestException(
              "token " + token + " is given twice", "tokens", "give every node tokens of its own");
        }
        seen.add(token);
        ofNode.add(Long.toString(token));
      }
      tokens.add(ofNode);
    }
    return tokens;
  }

  private static long parseOne(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new BadRequestException(
          "'" + text + "' is no token",
          "tokens",
          "give whole numbers from -9223372036854775808 to 9223372036854775807");
    }
  }
}
