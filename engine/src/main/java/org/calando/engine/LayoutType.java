package org.calando.engine;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.layout.Fraction;
import org.calando.core.layout.WarmShare;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Tree;
import org.calando.schema.Values;

/** How a token layout is written, in files and arguments. */
public final class LayoutType {
  /** A layout by its name, or by the share of nodes that are warm. */
  public static final ScalarType<WarmShare> SHARE =
      new ScalarType<>(
          "a token layout",
          WarmShare.FORMS,
          LayoutType::parse,
          WarmShare::label,
          Map.of("type", List.of("string", "number")));

  /** That, or a layout of blocks. */
  public static final ScalarType<StoreLayout> ANY =
      new ScalarType<>(
          "a layout",
          WarmShare.FORMS + "; of HDFS " + BlockLayout.forms(),
          LayoutType::parseAny,
          StoreLayout::label,
          Map.of("type", List.of("string", "number")));

  private LayoutType() {}

  /** Reports a token layout at a path that so many nodes cannot have. */
  public static void check(Values values, String path, WarmShare layout, int nodes) {
    if (!layout.fits(nodes)) {
      values.errorAt(
          path,
          layout.share() + " of " + nodes + " nodes is not one node",
          "write even, or at least 1/" + 2 * nodes);
    }
  }

  /**
   * Reports a layout at a path of a kind that an engine does not support.
   *
   * @return whether it is supported
   */
  public static boolean refuseUnsupported(
      Values values, String path, StoreLayout layout, Engine engine) {
    boolean blocks = layout.blocks().isPresent();
    if (engine.supports(blocks ? Feature.BLOCK_LAYOUTS : Feature.TOKEN_LAYOUTS)) {
      return true;
    }
    boolean others = engine.supports(Feature.BLOCK_LAYOUTS);
    values.errorAt(
        path,
        others
            ? "is no layout of blocks"
            : blocks
                ? "is supported only by " + titles()
                : "is not supported by " + engine.id() + ", which has no tokens",
        others
            ? "write one of " + BlockLayout.forms()
            : blocks && engine.supports(Feature.TOKEN_LAYOUTS)
                ? "write a share of warm nodes"
                : "remove it");
    return false;
  }

  private static String titles() {
    return Engines.with(Feature.BLOCK_LAYOUTS).stream()
        .map(Engine::title)
        .collect(Collectors.joining(" and "));
  }

  private static StoreLayout parseAny(Tree.Scalar scalar) throws Refusal {
    BlockLayout blocks = BlockLayout.NAMES.get(scalar.text());
    return blocks == null ? new StoreLayout.Tokens(parse(scalar)) : new StoreLayout.Blocks(blocks);
  }

  private static WarmShare parse(Tree.Scalar scalar) throws Refusal {
    try {
      return WarmShare.parse(scalar.text());
    } catch (BadRequestException e) {
      throw Fraction.parse(scalar.text()).isPresent()
          ? new Refusal("is more than all nodes", "write a share of warm nodes from 0 to 1")
          : new Refusal("is not a token layout", "write " + WarmShare.FORMS);
    }
  }
}
