package org.calando.studyfile;

import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.core.layout.Fraction;
import org.calando.core.layout.WarmShare;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Tree;

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
  static final ScalarType<StoreLayout> ANY =
      new ScalarType<>(
          "a layout",
          WarmShare.FORMS + "; of HDFS " + BlockLayout.forms(),
          LayoutType::parseAny,
          StoreLayout::label,
          Map.of("type", List.of("string", "number")));

  private LayoutType() {}

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
