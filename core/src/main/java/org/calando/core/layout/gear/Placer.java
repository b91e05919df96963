package org.calando.core.layout.gear;

import java.util.List;

/**
 * Says of one new block after another which nodes are its homes, whether they are on or off. The
 * same layout's placers say the same. Not thread safe.
 */
public interface Placer {
  /**
   * The homes of the next block, each of them once; their order means nothing to a store.
   *
   * @param file which file the block belongs to; blocks of a file come in their order
   */
  List<Integer> next(String file);
}
