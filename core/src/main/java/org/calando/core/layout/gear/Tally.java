package org.calando.core.layout.gear;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Counts replicas on nodes beside what each node is to hold. Not thread safe. */
final class Tally {
  private final long[] wanted;
  private final long[] counted;

  /**
   * Begins with nothing counted.
   *
   * @param wanted by node, from node 1
   */
  Tally(long[] wanted) {
    this.wanted = wanted.clone();
    this.counted = new long[wanted.length];
  }

  void add(int node) {
    counted[node - 1]++;
  }

  void addAll(Collection<Integer> nodes) {
    nodes.forEach(this::add);
  }

  void remove(int node) {
    counted[node - 1]--;
  }

  /** What a node lacks; below 0 if it has too much. */
  long lack(int node) {
    return wanted[node - 1] - counted[node - 1];
  }

  /** The one of some nodes that lacks most; of equals the first. */
  Optional<Integer> neediest(Collection<Integer> nodes) {
    return nodes.stream()
        .max(Comparator.comparingLong(this::lack).thenComparing(Comparator.reverseOrder()));
  }

  /** Whole numbers from one to another, both of them in it. */
  static List<Integer> range(int first, int last) {
    return IntStream.rangeClosed(first, last).boxed().toList();
  }
}
