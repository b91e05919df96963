package org.calando.studyfile;

import java.util.Collections;
import java.util.List;

/**
 * The configurations that are compared: every token layout with every workload, every pair of
 * levels, every policy of clocks and every load.
 *
 * <p>Immutable and thread safe. Exactly one of {@code threads} and {@code rates} is not empty.
 *
 * @param layouts token layouts, or layouts of blocks, of the local cluster, which starts anew for
 *     each; empty for the cluster's own
 * @param workloads what clients do, 1 or more in a study
 * @param consistency levels, 1 or more; {@link LevelPair#NONE} where a store has none
 * @param threads closed loop: numbers of threads
 * @param rates open loop: arrivals
 * @param gears gears, or policies that choose them; empty where all nodes are on
 * @param clocks names of policies that set the clocks of processors; empty where none is set
 * @param writeBuffers how writes are sent, or policies that choose it; empty for each by itself
 * @param maxInFlight open loop: operations under way at most; 0 for a closed loop
 * @param clients open loop: clients, one of which each operation belongs to at random; 0 for a
 *     closed loop
 * @param operations measured operations of a run; 0 for by duration, or as each workload says
 * @param durationNanos measured time of a run; 0 for by operations, or as each workload says
 */
public record MatrixSpec(
    List<StoreLayout> layouts,
    List<WorkloadSpec> workloads,
    List<LevelPair> consistency,
    List<Integer> threads,
    List<RateSpec> rates,
    List<GearChoice> gears,
    List<String> clocks,
    List<BufferChoice> writeBuffers,
    int maxInFlight,
    int clients,
    long operations,
    long durationNanos) {
  public MatrixSpec {
    layouts = List.copyOf(layouts);
    workloads = List.copyOf(workloads);
    consistency = List.copyOf(consistency);
    threads = List.copyOf(threads);
    rates = List.copyOf(rates);
    gears = List.copyOf(gears);
    clocks = List.copyOf(clocks);
    writeBuffers = List.copyOf(writeBuffers);
  }

  /** Whether operations arrive at a rate and do not wait for those before them. */
  public boolean isOpenLoop() {
    return !rates.isEmpty();
  }

  /**
   * The same with what it leaves open as the study's workload says: the workload itself, and the
   * length of runs.
   */
  MatrixSpec orAs(WorkloadSpec common) {
    return new MatrixSpec(
        layouts,
        workloads.isEmpty()
            ? List.of(common)
            : workloads.stream().map(workload -> workload.orAs(common)).toList(),
        consistency,
        threads,
        rates,
        gears,
        clocks,
        writeBuffers,
        maxInFlight,
        clients,
        hasLength() ? operations : common.operations(),
        hasLength() ? durationNanos : common.durationNanos());
  }

  /** Whether it says how long its runs are; otherwise each of its workloads does. */
  public boolean hasLength() {
    return operations > 0 || durationNanos > 0;
  }

  /** Whether two parts have a token layout in common; those without one have the cluster's own. */
  boolean sharesLayout(MatrixSpec other) {
    return layouts.equals(other.layouts) || !Collections.disjoint(layouts, other.layouts);
  }

  /** Whether two parts have a gear or its policy in common; those without one have all nodes on. */
  boolean sharesGear(MatrixSpec other) {
    return gears.equals(other.gears) || !Collections.disjoint(gears, other.gears);
  }

  /** Whether two parts have a policy of clocks in common; those without one set none. */
  boolean sharesClock(MatrixSpec other) {
    return clocks.equals(other.clocks) || !Collections.disjoint(clocks, other.clocks);
  }

  /** Whether two parts have a write buffer in common; those without one send each write. */
  boolean sharesWriteBuffer(MatrixSpec other) {
    return writeBuffers.equals(other.writeBuffers)
        || !Collections.disjoint(writeBuffers, other.writeBuffers);
  }

  /** Number of configurations. */
  public int configurations() {
    return Math.max(1, layouts.size())
        * Math.max(1, workloads.size())
        * consistency.size()
        * Math.max(1, gears.size())
        * Math.max(1, clocks.size())
        * Math.max(1, writeBuffers.size())
        * (threads.size() + rates.size());
  }
}
