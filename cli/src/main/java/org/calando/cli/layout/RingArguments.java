package org.calando.cli.layout;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.calando.cli.TextOptions;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.Placement;
import org.calando.core.layout.TokenLayout;
import org.calando.core.layout.WarmShare;
import org.calando.engine.LayoutType;
import org.calando.schema.ArgumentReader;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;

/** The arguments that tell of a ring's layout and replicas. */
public final class RingArguments {
  static final String NODES = "--nodes";
  static final String LAYOUT = "--layout";

  /** Which nodes are warm, beside the layout. */
  static final TextOptions WARMTH = new TextOptions();

  static final String WARM =
      WARMTH.add("--warm=SHARE", "The same as --layout: the share of warm nodes.");
  static final String INTERLEAVE =
      WARMTH.add(
          "--interleave", "Warm and cool nodes alternate; without it all warm ones come first.");

  /** The ring and its replicas. */
  static final TextOptions RING = new TextOptions();

  static final String PARTITIONER =
      RING.add("--partitioner=NAME", "murmur3 (the default) or random: the cluster's partitioner.");
  static final String RF =
      RING.add("--rf=R", "Replicas of each key; 3 by default, or all nodes if there are fewer.");
  static final String RACKS =
      RING.add("--racks=RACKS", "Racks, which the nodes take in turn; 1 by default.");

  private static final int USUAL_REPLICAS = 3;
  private static final ScalarType<Integer> COUNT = Types.integer(1, TokenLayout.MAX_NODES);
  private static final ScalarType<Partitioner> PARTITIONERS =
      Types.choice("a partitioner", partitioners());

  private RingArguments() {}

  private static Map<String, Partitioner> partitioners() {
    Map<String, Partitioner> partitioners = new LinkedHashMap<>();
    partitioners.put("murmur3", Partitioner.MURMUR3);
    partitioners.put("random", Partitioner.RANDOM);
    return partitioners;
  }

  /** The nodes; empty if they were not given or are wrong. */
  static Optional<Integer> nodes(ArgumentReader arguments) {
    return arguments.optional(NODES, COUNT);
  }

  /** The layout, which so many nodes can have, if their number is known. */
  static WarmShare layout(ArgumentReader arguments, Optional<Integer> nodes) {
    if (arguments.has(LAYOUT) && arguments.has(WARM)) {
      arguments.wrong(WARM, "is given beside --layout, which says the same", "remove one of them");
    }
    WarmShare share =
        arguments
            .optional(LAYOUT, LayoutType.SHARE)
            .or(() -> arguments.optional(WARM, LayoutType.SHARE))
            .orElse(WarmShare.EVEN);
    nodes.ifPresent(
        count -> checkFits(arguments, arguments.has(LAYOUT) ? LAYOUT : WARM, share, count));
    return share;
  }

  public static void checkFits(ArgumentReader arguments, String name, WarmShare share, int nodes) {
    if (!share.fits(nodes)) {
      arguments.wrong(
          name,
          share.share() + " of " + nodes + " nodes is not one node",
          "write even, or at least 1/" + 2L * nodes);
    }
  }

  static Arrangement arrangement(ArgumentReader arguments) {
    return arguments.has(INTERLEAVE) ? Arrangement.INTERLEAVED : Arrangement.CONTIGUOUS;
  }

  static Partitioner partitioner(ArgumentReader arguments) {
    return arguments.optional(PARTITIONER, PARTITIONERS).orElse(Partitioner.MURMUR3);
  }

  static int replicationFactor(ArgumentReader arguments, Optional<Integer> nodes) {
    return atMostNodes(arguments, RF, nodes).orElse(Math.min(USUAL_REPLICAS, nodes.orElse(1)));
  }

  static int racks(ArgumentReader arguments, Optional<Integer> nodes) {
    return atMostNodes(arguments, RACKS, nodes).orElse(1);
  }

  /** Where replicas are: on nodes that take the racks in turn. */
  static Placement placement(int nodes, int replicationFactor, int racks) {
    return Placement.racks(
        replicationFactor, IntStream.range(0, nodes).map(node -> node % racks).toArray());
  }

  private static Optional<Integer> atMostNodes(
      ArgumentReader arguments, String name, Optional<Integer> nodes) {
    Optional<Integer> count = arguments.optional(name, COUNT);
    if (count.isPresent() && nodes.isPresent() && count.get() > nodes.get()) {
      arguments.wrong(
          name, "'" + count.get() + "' is more than all nodes", "write 1 to " + nodes.get());
    }
    return count;
  }
}
