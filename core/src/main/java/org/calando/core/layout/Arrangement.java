package org.calando.core.layout;

/** In which order warm and cool nodes stand around the ring. */
public enum Arrangement {
  /**
   * All warm nodes, then all cool ones, as in Li 2013. With replicas on successive nodes the pools
   * then differ in load: a warm node's predecessors are warm too.
   */
  CONTIGUOUS,

  /**
   * Warm nodes spread as evenly as they can. With several replicas every node then has nearly the
   * same load, and the pools differ in the ranges only that they are the first replica of.
   */
  INTERLEAVED;

  /**
   * Whether the node at a place of the ring is warm.
   *
   * @param place 0 to {@code nodes - 1}
   * @param warm number of warm nodes, 0 to {@code nodes}
   */
  boolean isWarm(int place, int nodes, int warm) {
    return switch (this) {
      case CONTIGUOUS -> place < warm;
      // Warm where the straight line from 0 to all warm nodes reaches another whole number.
      case INTERLEAVED -> warmBefore(place + 1, nodes, warm) > warmBefore(place, nodes, warm);
    };
  }

  private static long warmBefore(int place, int nodes, int warm) {
    return ((long) place * warm + nodes - 1) / nodes;
  }
}
