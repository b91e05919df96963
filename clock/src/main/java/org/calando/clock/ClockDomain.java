package org.calando.clock;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.calando.core.CpuSet;

/**
 * Policies whose clocks cannot differ, because they have a core in common. Immutable and thread
 * safe.
 *
 * @param policies one or more
 * @param cores all logical processors of their cores
 */
public record ClockDomain(List<CpufreqPolicy> policies, CpuSet cores) {
  public ClockDomain {
    policies = List.copyOf(policies);
  }

  /** Both together. */
  ClockDomain with(ClockDomain other) {
    List<CpufreqPolicy> all = new ArrayList<>(policies);
    all.addAll(other.policies);
    all.sort(CpufreqTree.BY_FIRST_CPU);
    return new ClockDomain(all, CpuSet.union(List.of(cores, other.cores)));
  }

  /** The names of its policies. */
  public String name() {
    return policies.stream().map(CpufreqPolicy::name).collect(Collectors.joining("+"));
  }

  /** The highest clock in kHz of any of them. */
  long highest() {
    return policies.stream().mapToLong(policy -> policy.frequencies().highest()).max().orElse(0);
  }
}
