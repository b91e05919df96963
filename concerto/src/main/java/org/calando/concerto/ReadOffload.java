package org.calando.concerto;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;

/**
 * I/O threads of servers on processors that are always fast, while their main threads may be slow.
 * Immutable and thread safe.
 */
public final class ReadOffload {
  /** The name of the threads. */
  public static final String IO_THREADS = "io_thd_*";

  /** What their names begin with. */
  static final String IO_THREAD_PREFIX = "io_thd_";

  /** The name under which the fast processors are leased, beside those of nodes. */
  public static final String CLOCK = "read-offload";

  private final CpuSet cpus;

  private ReadOffload(CpuSet cpus) {
    this.cpus = cpus;
  }

  /**
   * Read off-load, if it can be.
   *
   * @param cpus where the I/O threads run; of no node
   * @param nodes the processors of all managed nodes, by name
   * @param refusals what stands against it on each of them
   * @throws BadRequestException naming all that stands against it
   */
  public static ReadOffload of(
      CpuSet cpus, Map<String, CpuSet> nodes, Map<String, List<String>> refusals) {
    List<String> reasons = new ArrayList<>();
    if (cpus.isEmpty()) {
      reasons.add("no processor is named for the I/O threads");
    }
    new TreeMap<>(nodes)
        .forEach(
            (node, own) -> {
              if (own.intersects(cpus)) {
                reasons.add(
                    "processors %s are those of %s too, and slow while it is a replica"
                        .formatted(cpus, node));
              }
              refusals
                  .getOrDefault(node, List.of("its server is not known"))
                  .forEach(why -> reasons.add(node + ": " + why));
            });
    if (!reasons.isEmpty()) {
      throw new BadRequestException(
          "reads cannot be off-loaded: " + String.join("; ", reasons),
          "read off-load",
          "leave it off, or see docs/redis.md for what it needs");
    }
    return new ReadOffload(cpus);
  }

  /** A node with its I/O threads there, in either role; its other threads stay on its own. */
  public ManagedNode apply(ManagedNode node) {
    return node.offloading(cpus);
  }

  /**
   * All processors to lease: a node's that is never told a clock keeps the highest, so the fast
   * ones are leased as one.
   */
  public Map<String, CpuSet> leased(Map<String, CpuSet> nodes) {
    Map<String, CpuSet> all = new TreeMap<>(nodes);
    all.put(CLOCK, cpus);
    return all;
  }
}
