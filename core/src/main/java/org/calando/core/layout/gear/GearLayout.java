package org.calando.core.layout.gear;

import java.util.Collection;

/**
 * Which nodes hold the replicas of blocks, so that every gear can read all of them. Immutable and
 * thread safe.
 */
public interface GearLayout {
  /** What it is called in files and on the command line. */
  String name();

  /** Which nodes are on in which gear. */
  GearGroups groups();

  /** The most replicas that a block has. */
  int replicas();

  /** One that says where new blocks belong, from the beginning. */
  Placer placer();

  /** One that says where blocks belong by what there is. */
  HomeFinder homeFinder();

  /**
   * Replicas on a node for each block of the store, 0 to 1.
   *
   * @param node from 1
   */
  double share(int node);

  /**
   * The part of all reads that a node answers in a gear, if reads are spread as evenly as what the
   * nodes hold allows; 0 where it is off. The parts of a gear add up to 1.
   *
   * @param node from 1
   * @param gear from 1
   */
  double served(int node, int gear);

  /** Whether these nodes are all and only those that one block may lie on. */
  boolean isPlaced(Collection<Integer> nodes);

  /**
   * Whether a block lacks a replica by the layout's rule alone, whatever is on nodes that are off.
   *
   * @param seen nodes that hold the block and are on in the gear
   * @param gear which nodes are on; of the others it is not known what they hold
   * @param copies that the block's file asks for; where they are more than the layout's, the others
   *     may be on any nodes
   */
  boolean lacksHome(Collection<Integer> seen, int gear, int copies);

  /** Whether a block on these nodes can be read in a gear. */
  default boolean isReadable(Collection<Integer> nodes, int gear) {
    return nodes.stream().anyMatch(node -> groups().isOn(node, gear));
  }
}
