package org.calando.agent.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.calando.agent.AgentWire.LeaseAnswer;
import org.calando.agent.AgentWire.LeaseRequest;
import org.calando.core.Closing;
import org.calando.core.CpuSet;

/**
 * What a governor has of this machine: processors, which stay the same, and knobs of processes.
 * Used by one thread at a time.
 */
final class Leased implements AutoCloseable {
  private static final LeaseAnswer NO_PROCESSORS =
      new LeaseAnswer(Map.of(), false, List.of(), List.of(), List.of());

  private final Optional<LeasedProcessors> processors;
  private final WantedKnobs knobs;

  /**
   * Takes processors, and no knob yet.
   *
   * @param cpus those of each node; empty for none
   * @param owner who has them, in words
   * @param left is called if they cannot be taken, and what was set stays
   */
  Leased(
      AgentLeases.Means means,
      LongSupplier nanos,
      Map<String, CpuSet> cpus,
      String owner,
      Runnable left) {
    this.processors =
        cpus.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new LeasedProcessors(means, nanos, cpus, means.begin().apply(owner), left));
    this.knobs = means.knobs().begin(owner);
  }

  /** Whether these are its processors. */
  boolean are(Map<String, CpuSet> cpus) {
    return processors.map(its -> its.are(cpus)).orElse(cpus.isEmpty());
  }

  /** For people. */
  String words() {
    return processors.map(its -> "processors " + its.words()).orElse("knobs");
  }

  /** Sets what is wanted, and reports how they stand. */
  LeaseAnswer set(LeaseRequest request) {
    LeaseAnswer answer = processors.map(its -> its.set(request)).orElse(NO_PROCESSORS);
    knobs.set(request.knobs());
    return answer;
  }

  /**
   * {@inheritDoc} All is as before.
   *
   * @throws org.calando.core.FailedWorkException naming what is not
   */
  @Override
  public void close() {
    List<AutoCloseable> parts = new ArrayList<>(List.of(knobs));
    processors.ifPresent(parts::add);
    Closing.all(parts);
  }
}
