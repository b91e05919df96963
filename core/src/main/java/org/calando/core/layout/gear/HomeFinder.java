package org.calando.core.layout.gear;

import java.util.List;
import java.util.Set;

/**
 * Says where blocks belong, of which nobody knows any longer where they were meant to be: with the
 * fewest replicas moved, and then so that nodes come to what they are to hold. Thread safe.
 */
public interface HomeFinder {
  /**
   * The homes of each block, in the order of the blocks. A block's own homes are kept where it has
   * some that satisfy the layout's rule. The answer does not depend on the order of the blocks, but
   * on their ids.
   *
   * @param blocks all blocks that the layout is for, as what is missing on a node shows only so
   */
  List<Set<Integer>> homes(List<PlacedBlock> blocks);
}
