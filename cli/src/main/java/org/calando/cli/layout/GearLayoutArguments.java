package org.calando.cli.layout;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.BadRequestException;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.ParaidLayout;
import org.calando.core.layout.gear.RabbitLayout;
import org.calando.schema.ArgumentReader;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;
import org.jspecify.annotations.Nullable;

/** Reads the arguments of gear layouts and tells all that is wrong with them at once. */
final class GearLayoutArguments {
  static final String NODES = "--nodes";
  static final String GEARS = "--gears";
  static final String BLOCKS = "--blocks";
  static final String BYTES = "--bytes";
  static final String PRIMARIES = "--primaries";
  static final String REPLICAS = "--replicas";
  static final String ORDER = "--order";

  private static final int MAX_BLOCKS = 1_000_000;
  private static final int USUAL_REPLICAS = 2;
  private static final ScalarType<Integer> NODE_COUNT = Types.integer(1, GearGroups.MAX_NODES);
  private static final ScalarType<Integer> BLOCK_COUNT = Types.integer(1, MAX_BLOCKS);
  private static final ScalarType<Long> BLOCK_SIZE = Types.size(1, 1L << 40);
  private static final ScalarType<ParaidLayout.Order> ORDERS = Types.choice("an order", orders());
  private static final ScalarType<GearGroups> GROUPS =
      new ScalarType<>(
          "a list of gears", "", scalar -> gears(scalar.text()), GearGroups::toString, Map.of());

  private final ArgumentReader arguments = new ArgumentReader();

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

  /** Takes an argument; null if it was not given. */
  void put(String name, @Nullable String text) {
    arguments.put(name, text);
  }

  /**
   * What is asked for, with RABBIT's layout.
   *
   * @throws BadRequestException naming everything that is wrong
   */
  GearLayoutRequest rabbit() {
    Optional<GearGroups> groups = groups();
    Optional<Integer> primaries = arguments.optional(PRIMARIES, NODE_COUNT);
    Optional<Integer> replicas = arguments.optional(REPLICAS, NODE_COUNT);
    int blocks = blocks();
    OptionalLong bytes = bytes();
    groups.ifPresent(known -> checkRabbit(known, primaries, replicas));
    arguments.throwIfAny();
    GearGroups known = groups.orElseThrow();
    int first = primaries.orElse(known.nodesIn(1));
    return request(
        RabbitLayout.of(known, first, replicas.orElse(usualReplicas(known, first))), blocks, bytes);
  }

  /**
   * What is asked for, with PARAID's layout.
   *
   * @throws BadRequestException naming everything that is wrong
   */
  GearLayoutRequest paraid() {
    Optional<GearGroups> groups = groups();
    ParaidLayout.Order order = arguments.optional(ORDER, ORDERS).orElse(ParaidLayout.Order.EVEN);
    int blocks = blocks();
    OptionalLong bytes = bytes();
    arguments.throwIfAny();
    return request(ParaidLayout.of(groups.orElseThrow(), order), blocks, bytes);
  }

  private static GearLayoutRequest request(GearLayout layout, int blocks, OptionalLong bytes) {
    return new GearLayoutRequest(layout, blocks, bytes);
  }

  private Optional<GearGroups> groups() {
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

  private void checkRabbit(
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

  private static int usualReplicas(GearGroups groups, int primaries) {
    return Math.min(USUAL_REPLICAS, groups.nodes() - primaries + 1);
  }

  private int blocks() {
    if (!arguments.has(BLOCKS)) {
      arguments.wrong(BLOCKS, "is missing", "write how many blocks are stored");
    }
    return arguments.optional(BLOCKS, BLOCK_COUNT).orElse(1);
  }

  private OptionalLong bytes() {
    return arguments
        .optional(BYTES, BLOCK_SIZE)
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }
}
