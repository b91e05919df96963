package org.calando.study.config;

import java.util.List;

/**
 * The configurations that are compared: every pair of levels with every load.
 *
 * <p>Immutable and thread safe. Exactly one of {@code threads} and {@code rates} is not empty.
 *
 * @param consistency levels, 1 or more
 * @param threads closed loop: numbers of threads
 * @param rates open loop: arrivals
 * @param maxInFlight open loop: operations under way at most; 0 for a closed loop
 * @param clients open loop: clients, one of which each operation belongs to at random; 0 for a
 *     closed loop
 * @param operations measured operations of a run; 0 for by duration
 * @param durationNanos measured time of a run; 0 for by operations
 */
public record MatrixSpec(
    List<LevelPair> consistency,
    List<Integer> threads,
    List<RateSpec> rates,
    int maxInFlight,
    int clients,
    long operations,
    long durationNanos) {
  public MatrixSpec {
    consistency = List.copyOf(consistency);
    threads = List.copyOf(threads);
    rates = List.copyOf(rates);
  }

  /** Whether operations arrive at a rate and do not wait for those before them. */
  public boolean isOpenLoop() {
    return !rates.isEmpty();
  }

  /** The same with the length of the workload's runs, if it has none of its own. */
  MatrixSpec orLengthOf(WorkloadSpec workload) {
    return hasLength()
        ? this
        : new MatrixSpec(
            consistency,
            threads,
            rates,
            maxInFlight,
            clients,
            workload.operations(),
            workload.durationNanos());
  }

  /** Whether it says how long its runs are. */
  boolean hasLength() {
    return operations > 0 || durationNanos > 0;
  }

  /** Number of configurations. */
  public int configurations() {
    return consistency.size() * (threads.size() + rates.size());
  }
}
