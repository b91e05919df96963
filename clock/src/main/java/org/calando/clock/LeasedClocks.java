package org.calando.clock;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of this machine's processors, on lease. Where nodes share a policy or a core, the
 * fastest of them wins; one that was not told yet counts as the fastest. Setting a clock is a few
 * writes to the kernel and waits for nothing else. Thread safe.
 */
public final class LeasedClocks implements NodeClocks {
  private final Map<String, CpuSet> nodes;
  private final List<ClockDomain> domains;
  private final Map<Path, PolicyClock> clocks = new HashMap<>();
  private final Map<String, Long> asked = new HashMap<>();
  private boolean ended;

  LeasedClocks(Map<String, CpuSet> nodes, List<ClockDomain> domains, List<PolicyClock> clocks) {
    this.nodes = new TreeMap<>(nodes);
    this.domains = domains;
    clocks.forEach(clock -> this.clocks.put(clock.policy().folder(), clock));
  }

  /**
   * Clocks that are only told: for machines that have none to set, and to see what would be done.
   * The machine is read, and need not have any.
   *
   * @param told takes a line for each write that would be done
   */
  public static LeasedClocks dryRun(
      Machine machine, Map<String, CpuSet> nodes, java.util.function.Consumer<String> told) {
    CpufreqTree tree = machine.tree();
    CpuSet all = CpuSet.union(tree.policies().stream().map(CpufreqPolicy::cpus).toList());
    Map<String, CpuSet> known = new TreeMap<>();
    nodes.forEach((node, cpus) -> known.put(node, cpus.without(cpus.without(all))));
    List<ClockDomain> domains = touched(tree, known);
    SysfsFiles dry = new DryFiles(machine.files(), told);
    List<PolicyClock> clocks =
        domains.stream()
            .flatMap(domain -> domain.policies().stream())
            .map(policy -> new PolicyClock(dry, policy, null, clock -> {}))
            .toList();
    return new LeasedClocks(known, domains, clocks);
  }

  /** The domains of nodes' processors; refuses nodes without any, and processors without clock. */
  static List<ClockDomain> domains(CpufreqTree tree, Map<String, CpuSet> nodes) {
    CpuSet all = CpuSet.union(tree.policies().stream().map(CpufreqPolicy::cpus).toList());
    nodes.forEach(
        (node, cpus) -> {
          CpuSet missing = cpus.without(all);
          if (cpus.isEmpty() || !missing.isEmpty()) {
            throw new BadRequestException(
                cpus.isEmpty()
                    ? "no processor is named"
                    : "processors " + missing + " have no clock that can be set",
                "node " + node,
                "./calando clocks shows which have");
          }
        });
    return touched(tree, nodes);
  }

  private static List<ClockDomain> touched(CpufreqTree tree, Map<String, CpuSet> nodes) {
    CpuSet used = CpuSet.union(nodes.values());
    return tree.domains().stream().filter(domain -> domain.cores().intersects(used)).toList();
  }

  @Override
  public Set<String> nodes() {
    return Set.copyOf(nodes.keySet());
  }

  @Override
  public List<Set<String>> conflicts() {
    return domains.stream()
        .map(this::nodesOf)
        .filter(sharing -> sharing.size() > 1)
        .<Set<String>>map(TreeSet::new)
        .toList();
  }

  @Override
  public Frequencies frequencies(String node) {
    List<Long> all = new ArrayList<>();
    for (ClockDomain domain : domainsOf(node)) {
      domain.policies().forEach(policy -> all.addAll(policy.frequencies().all()));
    }
    if (all.isEmpty()) {
      throw new BadRequestException(
          "its processors have no clock that can be set", "node " + node, "./calando clocks");
    }
    return Frequencies.of(all);
  }

  /** {@inheritDoc} Once the lease has ended all of it is refused. */
  @Override
  public synchronized ClockOutcome set(String node, long kiloHertz) {
    if (kiloHertz <= 0) {
      throw new IllegalArgumentException("a clock of " + kiloHertz + " kHz");
    }
    List<ClockDomain> mine = domainsOf(node);
    asked.put(node, kiloHertz);
    List<PolicyOutcome> outcomes = new ArrayList<>();
    Set<String> heldBy = new TreeSet<>();
    for (ClockDomain domain : mine) {
      heldBy.addAll(faster(domain, kiloHertz));
      outcomes.addAll(apply(domain));
    }
    return new ClockOutcome(node, kiloHertz, outcomes, heldBy);
  }

  @Override
  public synchronized List<Drift> verify() {
    List<Drift> drifts = new ArrayList<>();
    for (ClockDomain domain : ended ? List.<ClockDomain>of() : domains) {
      for (CpufreqPolicy policy : domain.policies()) {
        clock(policy).verify(wanted(domain)).ifPresent(drifts::add);
      }
    }
    return drifts;
  }

  @Override
  public synchronized long kiloHertz(String node) {
    return domainsOf(node).stream()
        .flatMap(domain -> domain.policies().stream())
        .mapToLong(policy -> clock(policy).readKHz())
        .min()
        .orElse(0);
  }

  /**
   * Sets all to the highest, for the begin.
   *
   * @throws FailedWorkException if one cannot be set
   */
  synchronized void start() {
    List<String> faults = new ArrayList<>();
    for (ClockDomain domain : domains) {
      apply(domain).stream()
          .filter(one -> one.result() == PolicyOutcome.Result.REFUSED || one.readKHz() == 0)
          .forEach(one -> faults.add(one.detail()));
    }
    if (!faults.isEmpty()) {
      throw new FailedWorkException(
          String.join("; ", faults), "clocks", "see ./calando clocks for what can be set");
    }
  }

  private List<PolicyOutcome> apply(ClockDomain domain) {
    long kiloHertz = wanted(domain);
    List<PolicyOutcome> outcomes = new ArrayList<>();
    for (CpufreqPolicy policy : domain.policies()) {
      outcomes.add(ended ? refused(policy, kiloHertz) : clock(policy).set(kiloHertz));
    }
    return outcomes;
  }

  private static PolicyOutcome refused(CpufreqPolicy policy, long kiloHertz) {
    return new PolicyOutcome(
        policy.name(),
        policy.frequencies().atLeast(kiloHertz),
        0,
        PolicyOutcome.Result.REFUSED,
        policy.name() + ": the lease has ended");
  }

  /** Nothing is written any more when this returns, whoever still asks for it. */
  synchronized void end() {
    ended = true;
  }

  /** The clock that the fastest node of a domain needs. */
  private long wanted(ClockDomain domain) {
    return nodesOf(domain).stream()
        .mapToLong(node -> asked.getOrDefault(node, domain.highest()))
        .max()
        .orElse(domain.highest());
  }

  private Set<String> faster(ClockDomain domain, long kiloHertz) {
    Set<String> faster = new TreeSet<>();
    for (String other : nodesOf(domain)) {
      if (asked.getOrDefault(other, domain.highest()) > kiloHertz) {
        faster.add(other);
      }
    }
    return faster;
  }

  private Set<String> nodesOf(ClockDomain domain) {
    Set<String> sharing = new TreeSet<>();
    nodes.forEach(
        (node, cpus) -> {
          if (cpus.intersects(domain.cores())) {
            sharing.add(node);
          }
        });
    return sharing;
  }

  private List<ClockDomain> domainsOf(String node) {
    @Nullable CpuSet cpus = nodes.get(node);
    if (cpus == null) {
      throw new BadRequestException(
          "has no processors of its own", "node " + node, "name those of: " + nodes.keySet());
    }
    return domains.stream().filter(domain -> domain.cores().intersects(cpus)).toList();
  }

  private PolicyClock clock(CpufreqPolicy policy) {
    return java.util.Objects.requireNonNull(clocks.get(policy.folder()), policy.name());
  }
}
