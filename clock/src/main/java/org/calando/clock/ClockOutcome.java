package org.calando.clock;

import java.util.List;
import java.util.Set;

/**
 * What became of setting a node's clock. Immutable and thread safe.
 *
 * @param node the node
 * @param askedKHz what was asked for, in kHz
 * @param policies what was done, a policy each
 * @param heldBy nodes that share a core or a policy with it and need a higher clock, which it gets
 *     too; mostly empty
 */
public record ClockOutcome(
    String node, long askedKHz, List<PolicyOutcome> policies, Set<String> heldBy) {
  public ClockOutcome {
    policies = List.copyOf(policies);
    heldBy = Set.copyOf(heldBy);
  }

  /** Whether every policy's clock is what it is to be, which another node may have decided. */
  public boolean ok() {
    return policies.stream().allMatch(PolicyOutcome::ok);
  }

  /** The lowest clock in force on any of its processors, in kHz; 0 if one cannot be read. */
  public long kiloHertz() {
    return policies.stream().mapToLong(PolicyOutcome::readKHz).min().orElse(0);
  }

  /** What is not as it should be, in words; empty if all is well. */
  public String faults() {
    return String.join(
        "; ", policies.stream().filter(one -> !one.ok()).map(PolicyOutcome::detail).toList());
  }
}
