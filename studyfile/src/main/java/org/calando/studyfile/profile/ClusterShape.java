package org.calando.studyfile.profile;

import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.layout.WarmShare;

/**
 * A cluster as far as predictions know it. Immutable and thread safe.
 *
 * @param nodes nodes, 1 or more
 * @param racks racks, which nodes take in turn, 1 .. nodes
 * @param replicationFactor replicas of a key, 1 .. nodes
 * @param layout token layout; empty for evenly spread tokens
 * @param delayNanos configured delay one way, by sender and receiver; a single row and column holds
 *     for all links between different nodes
 * @param cores of each machine, 1 or more
 * @param sharedMachine whether all nodes and the load generator run on one machine with these
 *     cores; otherwise each node has one of its own, and the load generator does not count
 */
public record ClusterShape(
    int nodes,
    int racks,
    int replicationFactor,
    Optional<WarmShare> layout,
    List<List<Long>> delayNanos,
    int cores,
    boolean sharedMachine) {
  /** No delay between nodes. */
  public static final List<List<Long>> NO_DELAY = List.of(List.of(0L));

  private static final int MOST_NODES = 10_000;

  /**
   * Checks the values.
   *
   * @throws BadRequestException naming what cannot be
   */
  public ClusterShape {
    delayNanos = delayNanos.stream().map(List::copyOf).toList();
    require(nodes >= 1 && nodes <= MOST_NODES, nodes + " nodes", "1 to " + MOST_NODES);
    require(racks >= 1 && racks <= nodes, racks + " racks", "1 to " + nodes);
    require(
        replicationFactor >= 1 && replicationFactor <= Math.min(31, nodes),
        replicationFactor + " replicas",
        "1 to " + Math.min(31, nodes));
    require(cores >= 1 && cores <= 4096, cores + " cores", "1 to 4096");
    int rows = delayNanos.size();
    require(
        (rows == 1 || rows == nodes) && delayNanos.stream().allMatch(row -> row.size() == rows),
        "delays of " + rows + " nodes",
        "one, or a matrix of " + nodes);
    require(
        rows == 1 || racks == nodes,
        "delays by node in " + racks + " racks",
        "one delay, or a rack for each node");
    require(
        delayNanos.stream().allMatch(row -> row.stream().allMatch(delay -> delay >= 0)),
        "a negative delay",
        "0ms or more");
    layout.ifPresent(share -> share.warmNodes(nodes));
  }

  private static void require(boolean right, String what, String remedy) {
    if (!right) {
      throw new BadRequestException("a cluster of " + what, "cluster", "write " + remedy);
    }
  }

  /** The configured delay from one node to another, both from 0. */
  public long delayNanos(int from, int to) {
    if (from == to) {
      return 0;
    }
    return delayNanos.size() == 1 ? delayNanos.get(0).get(0) : delayNanos.get(from).get(to);
  }

  /** The longest configured delay. */
  public long longestDelayNanos() {
    return delayNanos.stream().flatMap(List::stream).mapToLong(Long::longValue).max().orElse(0);
  }
}
