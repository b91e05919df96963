package org.calando.study.sim;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.TokenLayout;
import org.calando.core.layout.WarmShare;
import org.calando.studyfile.GearNodes;
import org.calando.studyfile.sim.SimSpec;

/**
 * The tokens of a simulated cluster's nodes. Each data centre has the tokens of a layout of its
 * own, as a local cluster has them, and no two centres have the same. Stateless.
 */
final class SimTokens {
  private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);

  private SimTokens() {}

  /**
   * The tokens of each node.
   *
   * @param layout in place of the cluster's own, if there is one
   * @throws BadRequestException if a token is none, or there cannot be such a layout
   */
  static long[][] of(SimSpec sim, Optional<WarmShare> layout) {
    Optional<WarmShare> wanted = layout.or(sim.tokens()::warm);
    if (wanted.isEmpty() && !sim.tokens().each().isEmpty()) {
      return parsed(sim.tokens().each());
    }
    Optional<GearNodes> groups = sim.gears().filter(gears -> !gears.byTurns());
    if (groups.isPresent()) {
      return ofGears(groups.get());
    }
    WarmShare share = wanted.orElse(WarmShare.EVEN);
    long[][] tokens = new long[sim.size()][1];
    int first = 0;
    for (int centre = 0; centre < sim.dataCentres().size(); centre++) {
      int nodes = sim.dataCentres().get(centre).nodes();
      Partitioner partitioner = sim.tokens().partitioner();
      TokenLayout places = TokenLayout.of(nodes, share, Arrangement.CONTIGUOUS);
      for (int i = 0; i < nodes; i++) {
        int place = place(i + 1, nodes, sim.racks());
        tokens[first + i][0] = onRing(places.turnedToken(place, partitioner), partitioner) + centre;
      }
      first += nodes;
    }
    return tokens;
  }

  /** Each group has the whole ring to itself, in even parts; no two have the same tokens. */
  private static long[][] ofGears(GearNodes gears) {
    long[][] tokens = new long[gears.nodesOn().get(gears.gears() - 1)][1];
    for (int node = 0; node < tokens.length; node++) {
      int group = gears.group(node);
      long part = Long.divideUnsigned(-1L, gears.size(group));
      tokens[node][0] = Long.MIN_VALUE + part * gears.place(node) + group;
    }
    return tokens;
  }

  /**
   * A node's place on its ring. Where nodes are one more than a multiple of the racks, the last two
   * change places, so that neighbours are on different racks, as on local clusters.
   */
  private static int place(int node, int nodes, int racks) {
    boolean swapped = racks > 2 && nodes > racks && nodes % racks == 1 && node >= nodes - 1;
    return swapped ? 2 * nodes - 1 - node : node;
  }

  /** The same share of the ring on one of all longs. */
  private static long onRing(BigInteger token, Partitioner partitioner) {
    return partitioner == Partitioner.MURMUR3
        ? token.longValueExact()
        : token
            .multiply(RING)
            .divide(partitioner.ringSize())
            .add(BigInteger.valueOf(Long.MIN_VALUE))
            .longValueExact();
  }

  private static long[][] parsed(List<String> entries) {
    long[][] tokens = new long[entries.size()][];
    for (int node = 0; node < tokens.length; node++) {
      tokens[node] =
          Arrays.stream(entries.get(node).split(",", -1))
              .mapToLong(text -> parsed(text.strip()))
              .toArray();
    }
    return tokens;
  }

  private static long parsed(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new BadRequestException(
          "'" + text + "' is no token",
          "store.local.tokens",
          "give whole numbers from -9223372036854775808 to 9223372036854775807");
    }
  }
}
