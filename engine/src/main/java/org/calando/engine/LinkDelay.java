package org.calando.engine;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.schema.Units;

/**
 * The delay of messages between the nodes of a local cluster, one way.
 *
 * <p>Immutable and thread safe.
 *
 * @param matrix nanoseconds by sender and receiver, both from 0; a single row with a single column
 *     holds for every link
 */
public record LinkDelay(List<List<Long>> matrix) {
  public LinkDelay {
    matrix = matrix.stream().map(List::copyOf).toList();
  }

  /** The same delay between any two nodes. */
  public static LinkDelay uniform(long delayNanos) {
    return new LinkDelay(List.of(List.of(delayNanos)));
  }

  /** Whether every link has the same delay. */
  public boolean isUniform() {
    return matrix.size() == 1;
  }

  /** Whether it is a single delay, or a matrix for that many nodes. */
  boolean isFor(int nodes) {
    boolean single = matrix.size() == 1 && matrix.get(0).size() == 1;
    return single
        || (matrix.size() == nodes && matrix.stream().allMatch(row -> row.size() == nodes));
  }

  /** Whether no message is delayed. */
  public boolean isNone() {
    return matrix.stream().allMatch(row -> row.stream().allMatch(delay -> delay == 0));
  }

  /** The delay in words: {@code 5ms}, or {@code [[0ms, 5ms], [20ms, 0ms]]}. */
  public String label() {
    return isUniform()
        ? Units.formatNanos(matrix.get(0).get(0))
        : list(matrix.stream().map(row -> list(row.stream().map(Units::formatNanos))));
  }

  private static String list(Stream<String> items) {
    return items.collect(Collectors.joining(", ", "[", "]"));
  }

  /** Nanoseconds from one node (from 0) to another; a node reaches itself at once. */
  public long nanos(int from, int to) {
    if (from == to) {
      return 0;
    }
    return isUniform() ? matrix.get(0).get(0) : matrix.get(from).get(to);
  }
}
