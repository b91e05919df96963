package org.calando.cli.layout;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.cli.TextArguments;
import org.calando.cli.TextOptions;
import org.calando.core.BadRequestException;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.ParaidLayout;
import org.calando.core.layout.gear.RabbitLayout;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;

/** Reads the arguments of gear layouts and tells all that is wrong with them at once. */
abstract class GearLayoutArguments extends TextArguments {
  private static final TextOptions OPTIONS = new TextOptions();

  static final String NODES =
      OPTIONS.add("--nodes=N", "Nodes of the store; the last of --gears by default.");
  static final String GEARS =
      OPTIONS.add("--gears=N,N..", "How many nodes are on in gear 1, 2 and so on: 3,7.");
  static final String BLOCKS =
      OPTIONS.add("--blocks=B", "How many blocks are stored, 1 to 1000000.");
  static final String BYTES =
      OPTIONS.add("--bytes=SIZE", "Bytes of a block, for figures in bytes: 64MB.");

  private static final TextOptions RABBIT = new TextOptions().addAll(OPTIONS);

  static final String PRIMARIES =
      RABBIT.add("--primaries=P", "Primary nodes: the first ones; by default those of gear 1.");
  static final String REPLICAS =
      RABBIT.add("--replicas=R", "Replicas of each block; 2 by default.");

  private static final TextOptions PARAID = new TextOptions().addAll(OPTIONS);

  static final String ORDER =
      PARAID.add(
          "--order=ORDER",
          "even (the default): one round over all blocks; per-file: each file begins at node 1.");

  private static final int MAX_BLOCKS = 1_000_000;
  private static final int USUAL_REPLICAS = 2;
  private static final ScalarType<Integer> NODE_COUNT = Types.integer(1, GearGroups.MAX_NODES);
  private static final ScalarType<Integer> BLOCK_COUNT = Types.integer(1, MAX_BLOCKS);
  private static final ScalarType<Long> BLOCK_SIZE = Types.size(1, 1L << 40);
  private static final ScalarType<ParaidLayout.Order> ORDERS = Types.choice("an order", orders());
  private static final ScalarType<GearGroups> GROUPS =
      new ScalarType<>(
          "a list of gears", "", scalar -> gears(scalar.text()), GearGroups::toString, Map.of());

  private static Map<String, ParaidLayout.Order> orders() {
    Map<String, ParaidLayout.Order> orders = new LinkedHashMap<>();
    for (ParaidLayout.Order order : ParaidLayout.Order.values()) {
      orders.put(order.label(), order);
    }
    return orders;
  }

  private static GearGroups gears(String text) throws Refusal {
    try {
      return GearGroups.parse(text);
    } catch (BadRequestException e) {
      throw new Refusal(
          "is no list of gears",
          "write how many nodes are on in each gear, rising, at most "
              + GearGroups.MAX_NODES
              + ": 3,7");
    }
  }

  private GearLayoutArguments(TextOptions options) {
    super(options);
  }

  /**
   * What is asked for.
   *
   * @throws BadRequestException naming everything that is wrong
   */
  abstract GearLayoutRequest request();

  /** Those of RABBIT's layout. */
  static final class Rabbit extends GearLayoutArguments {
    Rabbit() {
      super(RABBIT);
    }

    @Override
    GearLayoutRequest request() {
      Optional<GearGroups> groups = groups();
      Optional<Integer> primaries = arguments.optional(PRIMARIES, NODE_COUNT);
      Optional<Integer> replicas = arguments.optional(REPLICAS, NODE_COUNT);
      int blocks = blocks();
      OptionalLong bytes = bytes();
      groups.ifPresent(known -> checkRabbit(known, primaries, replicas));
      arguments.throwIfAny();
      GearGroups known = groups.orElseThrow();
      int first = primaries.orElse(known.nodesIn(1));
      return of(
          RabbitLayout.of(known, first, replicas.orElse(usualReplicas(known, first))),
          blocks,
          bytes);
    }
  }

  /** Those of PARAID's. */
  static final class Paraid extends GearLayoutArguments {
    Paraid() {
      super(PARAID);
    }

    @Override
    GearLayoutRequest request() {
      Optional<GearGroups> groups = groups();
      ParaidLayout.Order order = arguments.optional(ORDER, ORDERS).orElse(ParaidLayout.Order.EVEN);
      int blocks = blocks();
      OptionalLong bytes = bytes();
      arguments.throwIfAny();
      return of(ParaidLayout.of(groups.orElseThrow(), order), blocks, bytes);
    }
  }

  static GearLayoutRequest of(GearLayout layout, int blocks, OptionalLong bytes) {
    return new GearLayoutRequest(layout, blocks, bytes);
  }

  final Optional<GearGroups> groups() {
    Optional<Integer> nodes = arguments.optional(NODES, NODE_COUNT);
    if (!arguments.has(GEARS)) {
      arguments.wrong(GEARS, "is missing", "write how many nodes are on in each gear: 3,7");
    }
    Optional<GearGroups> groups = arguments.optional(GEARS, GROUPS);
    if (nodes.isPresent() && groups.isPresent() && groups.get().nodes() != nodes.get()) {
      arguments.wrong(
          GEARS,
          "'" + groups.get() + "' ends with " + groups.get().nodes() + " of " + nodes.get(),
          "end with all nodes, as they are on in the highest gear");
    }
    return groups;
  }

  final void checkRabbit(
      GearGroups groups, Optional<Integer> primaries, Optional<Integer> replicas) {
    int first = primaries.orElse(groups.nodesIn(1));
    if (first > groups.nodesIn(1)) {
      arguments.wrong(
          PRIMARIES,
          "'" + first + "' is more than gear 1 has",
          "write 1 to " + groups.nodesIn(1) + ", as gear 1 has to read every block");
      return;
    }
    int most = groups.nodes() - first + 1;
    if (replicas.isPresent() && replicas.get() > most) {
      arguments.wrong(
          REPLICAS,
          "'" + replicas.get() + "' is more than one, and one on each node behind the primary ones",
          "write 1 to " + most);
    }
  }

  static int usualReplicas(GearGroups groups, int primaries) {
    return Math.min(USUAL_REPLICAS, groups.nodes() - primaries + 1);
  }

  final int blocks() {
    if (!arguments.has(BLOCKS)) {
      arguments.wrong(BLOCKS, "is missing", "write how many blocks are stored");
    }
    return arguments.optional(BLOCKS, BLOCK_COUNT).orElse(1);
  }

  final OptionalLong bytes() {
    return arguments
        .optional(BYTES, BLOCK_SIZE)
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }
}
