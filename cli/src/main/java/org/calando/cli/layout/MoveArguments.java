package org.calando.cli.layout;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.calando.cli.TextArguments;
import org.calando.cli.TextOptions;
import org.calando.core.BadRequestException;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.MovePlan;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.TokenLayout;
import org.calando.core.layout.WarmShare;
import org.calando.engine.LayoutType;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;

/** Reads the arguments of {@code layout move} and tells all that is wrong with them at once. */
final class MoveArguments extends TextArguments {
  static final String FROM = "--from";
  static final String TOKENS = "--tokens";
  static final String DATA = "--data";
  static final String DRY_RUN = "--dry-run";

  private static final TextOptions OPTIONS = new TextOptions();

  static {
    OPTIONS.add(DRY_RUN, "Prints the plan and moves nothing; required without a live cluster.");
    OPTIONS.addAll(LiveMoveArguments.OPTIONS);
    OPTIONS.add(
        RingArguments.LAYOUT + "=LAYOUT",
        "Where to: even, half, third, two-thirds, or a share of warm nodes: 1/4.");
    OPTIONS.addAll(RingArguments.WARMTH);
    OPTIONS.add(TOKENS + "=TOKEN,TOKEN,...", "The nodes' tokens now, as nodetool ring shows them.");
    OPTIONS.add(RingArguments.NODES + "=N", "Without --tokens: nodes of the cluster.");
    OPTIONS.add(
        FROM + "=LAYOUT", "Without --tokens: the layout that the nodes are in; even by default.");
    OPTIONS.addAll(RingArguments.RING);
    OPTIONS.add(
        DATA + "=SIZE",
        "Size of all data with one replica each, 100GB: then bytes are shown in place of shares.");
  }

  private static final ScalarType<Long> BYTES = Types.size(1, 1L << 60);
  private static final ScalarType<String> TOKEN =
      Types.text("a token", "-?\\d{1,39}", "the whole number that nodetool ring shows");

  MoveArguments() {
    super(OPTIONS);
  }

  /**
   * What is asked for.
   *
   * @throws BadRequestException naming everything that is wrong
   */
  MoveRequest request() {
    if (!arguments.has(DRY_RUN)) {
      arguments.wrong(
          DRY_RUN,
          "is missing, and no live cluster is named",
          "add it, or name the cluster by --inventory FILE or --local");
    }
    for (String name : LiveMoveArguments.ALL) {
      if (arguments.has(name)) {
        arguments.wrong(
            name, "is for live clusters", "name one by --inventory FILE or --local, or remove it");
      }
    }
    if (!arguments.has(RingArguments.LAYOUT) && !arguments.has(RingArguments.WARM)) {
      arguments.wrong(RingArguments.LAYOUT, "is missing", "write " + WarmShare.FORMS);
    }
    Partitioner partitioner = RingArguments.partitioner(arguments);
    List<BigInteger> present =
        arguments.has(TOKENS) ? listed(arguments.text(TOKENS)) : ofLayout(partitioner);
    Optional<Integer> nodes = present.isEmpty() ? Optional.empty() : Optional.of(present.size());
    WarmShare share = RingArguments.layout(arguments, nodes);
    Arrangement arrangement = RingArguments.arrangement(arguments);
    int rf = RingArguments.replicationFactor(arguments, nodes);
    int racks = RingArguments.racks(arguments, nodes);
    Optional<Long> data = arguments.optional(DATA, BYTES);
    arguments.throwIfAny();
    return new MoveRequest(
        present,
        share,
        arrangement,
        partitioner,
        rf,
        racks,
        data.isPresent() ? OptionalLong.of(data.get()) : OptionalLong.empty());
  }

  private List<BigInteger> listed(String text) {
    for (String name : List.of(RingArguments.NODES, FROM)) {
      if (arguments.has(name)) {
        arguments.wrong(name, "is given beside --tokens, which says it all", "remove one of them");
      }
    }
    List<BigInteger> tokens = new ArrayList<>();
    for (String token : text.split(",", -1)) {
      arguments.parse(TOKENS, token.strip(), TOKEN).map(BigInteger::new).ifPresent(tokens::add);
    }
    return tokens;
  }

  private List<BigInteger> ofLayout(Partitioner partitioner) {
    if (!arguments.has(RingArguments.NODES)) {
      arguments.wrong(
          RingArguments.NODES, "is missing", "write the number of nodes, or their --tokens");
    }
    Optional<Integer> nodes = RingArguments.nodes(arguments);
    WarmShare from = arguments.optional(FROM, LayoutType.SHARE).orElse(WarmShare.EVEN);
    if (nodes.isEmpty()) {
      return List.of();
    }
    if (nodes.get() > MovePlan.MAX_NODES) {
      arguments.wrong(
          RingArguments.NODES,
          "'" + nodes.get() + "' is out of range",
          "write 1 to " + MovePlan.MAX_NODES);
      return List.of();
    }
    RingArguments.checkFits(arguments, FROM, from, nodes.get());
    if (!from.fits(nodes.get())) {
      return List.of();
    }
    TokenLayout layout = TokenLayout.of(nodes.get(), from, Arrangement.CONTIGUOUS);
    return IntStream.rangeClosed(1, nodes.get())
        .mapToObj(node -> layout.token(node, partitioner))
        .toList();
  }
}
