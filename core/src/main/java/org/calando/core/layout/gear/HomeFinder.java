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
   * @param isLevelled whether blocks get other homes too that satisfy the rule where they are, if
   *     some nodes hold less than their shares: to be asked for where homes were not recorded or
   *     are lost, as blocks that were written in a low gear may look like any others
   */
  List<Set<Integer>> homes(List<PlacedBlock> blocks, boolean isLevelled);
}
