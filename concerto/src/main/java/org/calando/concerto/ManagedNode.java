package org.calando.concerto;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.calando.clock.thread.ThreadRule;
import org.calando.core.CpuSet;

/**
 * A node whose clock is managed. Immutable and thread safe.
 *
 * @param name as the watch of roles has it
 * @param cpus its processors, whose clock is set; not empty
 * @param asMaster where threads of its process run while it may be the master; empty to leave them
 * @param asReplica likewise while it is a replica
 * @param fastCpus processors apart from those of nodes, always at the highest clock, on which its
 *     I/O threads run; empty without read off-load ({@link ReadOffload})
 */
public record ManagedNode(
    String name,
    CpuSet cpus,
    List<ThreadRule> asMaster,
    List<ThreadRule> asReplica,
    Optional<CpuSet> fastCpus) {
  public ManagedNode {
    if (cpus.isEmpty()) {
      throw new IllegalArgumentException("node " + name + " without a processor");
    }
    asMaster = List.copyOf(asMaster);
    asReplica = List.copyOf(asReplica);
  }

  /** A node without read off-load. */
  public ManagedNode(
      String name, CpuSet cpus, List<ThreadRule> asMaster, List<ThreadRule> asReplica) {
    this(name, cpus, asMaster, asReplica, Optional.empty());
  }

  /** A node all of whose threads stay on its processors, whatever its role. */
  public static ManagedNode pinned(String name, CpuSet cpus) {
    return new ManagedNode(name, cpus, all(cpus), all(cpus));
  }

  /** A node whose threads are left where they are. */
  public static ManagedNode of(String name, CpuSet cpus) {
    return new ManagedNode(name, cpus, List.of(), List.of());
  }

  /**
   * The same with its I/O threads on other processors, in either role: they are fast on both, and
   * beside the main thread of a master they would take its time. Threads that were left where they
   * are now stay on the node's processors.
   */
  ManagedNode offloading(CpuSet fast) {
    return new ManagedNode(
        name, cpus, offloading(asMaster, fast), offloading(asReplica, fast), Optional.of(fast));
  }

  private List<ThreadRule> offloading(List<ThreadRule> rules, CpuSet fast) {
    return Stream.concat(
            Stream.of(new ThreadRule(ReadOffload.IO_THREADS, fast)),
            (rules.isEmpty() ? all(cpus) : rules).stream())
        .toList();
  }

  private static List<ThreadRule> all(CpuSet cpus) {
    return List.of(new ThreadRule(ThreadRule.ANY, cpus));
  }

  /** Whether its threads are placed at all. */
  boolean isPlaced() {
    return !asMaster.isEmpty() || !asReplica.isEmpty();
  }
}
