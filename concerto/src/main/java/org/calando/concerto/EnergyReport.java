package org.calando.concerto;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.calando.core.energy.CorePower;
import org.calando.core.energy.CoreSeconds;
import org.jspecify.annotations.Nullable;

/**
 * What nodes' processors spent, and would have at the fastest clock. Modelled from clocks and CPU
 * time, not measured. Immutable and thread safe.
 *
 * @param seconds of the account
 * @param nodes each node's part
 */
public record EnergyReport(double seconds, SortedMap<String, Node> nodes) {
  public EnergyReport {
    nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
  }

  EnergyReport(double seconds, Map<String, Node> nodes) {
    this(seconds, new TreeMap<>(nodes));
  }

  /**
   * A node's part.
   *
   * @param time of its processors at their clocks, without {@code offload}
   * @param offload of the fast processors that its I/O threads run on, with read off-load
   * @param atFastest the same time of its own processors with the same work, that of I/O threads
   *     included, had the clock been the fastest throughout
   * @param unknownSeconds processor time over which its process could not be read: counted as idle
   */
  public record Node(
      CoreSeconds time, CoreSeconds offload, CoreSeconds atFastest, double unknownSeconds) {
    private Node since(Node before) {
      return new Node(
          time.since(before.time),
          offload.since(before.offload),
          atFastest.since(before.atFastest),
          Math.max(0, unknownSeconds - before.unknownSeconds));
    }
  }

  /**
   * What came since an earlier report of the same account.
   *
   * @param earlier of the same nodes
   */
  public EnergyReport since(EnergyReport earlier) {
    SortedMap<String, Node> later = new TreeMap<>();
    nodes.forEach(
        (name, node) -> {
          @Nullable Node before = earlier.nodes.get(name);
          later.put(name, before == null ? node : node.since(before));
        });
    return new EnergyReport(Math.max(0, seconds - earlier.seconds), later);
  }

  /** All processors together, those of off-loaded reads included. */
  public CoreSeconds time() {
    return nodes.values().stream()
        .map(node -> node.time().plus(node.offload()))
        .reduce(CoreSeconds.NONE, CoreSeconds::plus);
  }

  /** All nodes' own processors at the fastest clock. */
  public CoreSeconds atFastest() {
    return nodes.values().stream().map(Node::atFastest).reduce(CoreSeconds.NONE, CoreSeconds::plus);
  }

  /**
   * What was saved, as a share of what the fastest clock would have taken; NaN before any time has
   * passed. Report it for {@link CorePower#busyOnly} and {@link CorePower#idleCharged}.
   */
  public double saving(CorePower power) {
    return seconds > 0 ? power.saving(time(), atFastest()) : Double.NaN;
  }
}
