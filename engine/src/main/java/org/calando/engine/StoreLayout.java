package org.calando.engine;

import java.util.Optional;
import org.calando.core.layout.WarmShare;

/** How a cluster's data is laid out on its nodes. Immutable and thread safe. */
public sealed interface StoreLayout {
  /** What files and results call it. */
  String label();

  /** The share of warm nodes in a ring of tokens; empty if it is no ring. */
  default Optional<WarmShare> tokens() {
    return Optional.empty();
  }

  /** The layout of blocks on groups of nodes; empty if it is none of blocks. */
  default Optional<BlockLayout> blocks() {
    return Optional.empty();
  }

  /**
   * Tokens of a ring.
   *
   * @param share of the nodes that is warm
   */
  record Tokens(WarmShare share) implements StoreLayout {
    @Override
    public String label() {
      return share.label();
    }

    @Override
    public Optional<WarmShare> tokens() {
      return Optional.of(share);
    }
  }

  /**
   * Blocks of files.
   *
   * @param layout of a cluster with gears
   */
  record Blocks(BlockLayout layout) implements StoreLayout {
    @Override
    public String label() {
      return layout.label();
    }

    @Override
    public Optional<BlockLayout> blocks() {
      return Optional.of(layout);
    }
  }
}
