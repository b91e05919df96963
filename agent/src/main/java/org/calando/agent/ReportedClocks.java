package org.calando.agent;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.calando.clock.ClockOutcome;
import org.calando.clock.CpufreqTree;
import org.calando.clock.Drift;
import org.calando.clock.Frequencies;
import org.calando.clock.NodeClocks;
import org.calando.clock.PolicyOutcome;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.calando.power.MeterException;
import org.calando.power.agent.AgentQuestions;
import org.calando.power.agent.AgentSource;
import org.jspecify.annotations.Nullable;

/**
 * Clocks that agents' machines can be set to, as the agents report them. Nothing is leased and
 * nothing is set: what would be is only told. Immutable and thread safe.
 */
public final class ReportedClocks implements NodeClocks {
  private static final long MOST_NANOS = Duration.ofSeconds(5).toNanos();

  private final Map<String, Reported> byNode;
  private final Consumer<String> told;

  /** A node's policies, and what reported them. */
  private record Reported(AgentNode node, Machine machine, List<Policy> policies) {}

  /** What an agent answers of its machine; see {@link org.calando.clock.ClockAbilities#json}. */
  private record Machine(String root, boolean affinity, List<Policy> policies) {}

  private record Policy(
      String policy,
      String cpus,
      boolean usable,
      String reason,
      @JsonProperty("frequencies_khz") List<Long> clocks) {
    CpuSet processors() {
      return CpuSet.parse(cpus);
    }
  }

  private ReportedClocks(Map<String, Reported> byNode, Consumer<String> told) {
    this.byNode = byNode;
    this.told = told;
  }

  /**
   * Asks the agents; blocks for 5 s an agent at most.
   *
   * @throws BadRequestException if processors have no clock that can be set
   * @throws FailedWorkException if an agent does not answer
   */
  public static ReportedClocks of(List<AgentNode> nodes) {
    Map<AgentSource, Machine> machines = new HashMap<>();
    Map<String, Reported> byNode = new TreeMap<>();
    for (AgentNode node : nodes) {
      Machine machine = machines.computeIfAbsent(node.agent(), ReportedClocks::ask);
      byNode.put(node.name(), new Reported(node, machine, policies(node, machine)));
    }
    return new ReportedClocks(byNode, line -> {});
  }

  private static Machine ask(AgentSource agent) {
    try (AgentQuestions questions = AgentQuestions.of(agent)) {
      return AgentWire.read(questions.ask("/v1/clocks", MOST_NANOS), Machine.class);
    } catch (MeterException e) {
      throw e.toFailedWork();
    } catch (IllegalArgumentException e) {
      throw new FailedWorkException(
          "its clocks: " + e.getMessage(), agent.describe(), "use an agent of this version", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("interrupted", agent.describe(), "try again", e);
    }
  }

  private static List<Policy> policies(AgentNode node, Machine machine) {
    List<Policy> usable = machine.policies().stream().filter(Policy::usable).toList();
    CpuSet missing =
        node.cpus().without(CpuSet.union(usable.stream().map(Policy::processors).toList()));
    if (node.cpus().isEmpty() || !missing.isEmpty()) {
      throw new BadRequestException(
          node.cpus().isEmpty()
              ? "no processor is named"
              : "processors " + missing + " have no clock that can be set" + why(machine, missing),
          "node " + node.name() + ", " + node.agent().describe(),
          "./calando clocks on its machine shows which have");
    }
    return usable.stream().filter(each -> each.processors().intersects(node.cpus())).toList();
  }

  private static String why(Machine machine, CpuSet missing) {
    return machine.policies().stream()
        .filter(policy -> policy.processors().intersects(missing) && !policy.reason().isEmpty())
        .findFirst()
        .map(policy -> " (" + policy.reason() + ")")
        .orElse("");
  }

  /** The same, of which each clock that would be set is a line. */
  public ReportedClocks telling(Consumer<String> lines) {
    return new ReportedClocks(byNode, lines);
  }

  /** Whether threads can be moved on all machines. */
  public boolean movesThreads() {
    return byNode.values().stream()
        .map(Reported::machine)
        .allMatch(
            machine -> machine.affinity() && machine.root().equals(CpufreqTree.MACHINE.toString()));
  }

  @Override
  public Set<String> nodes() {
    return Set.copyOf(byNode.keySet());
  }

  @Override
  public List<Set<String>> conflicts() {
    Map<List<String>, Set<String>> byPolicy = new LinkedHashMap<>();
    byNode.forEach(
        (name, of) ->
            of.policies()
                .forEach(
                    policy ->
                        byPolicy
                            .computeIfAbsent(
                                List.of(of.node().agent().describe(), policy.policy()),
                                key -> new TreeSet<>())
                            .add(name)));
    return byPolicy.values().stream().filter(sharing -> sharing.size() > 1).toList();
  }

  private Reported reported(String node) {
    @Nullable Reported found = byNode.get(node);
    if (found == null) {
      throw new BadRequestException(
          "has no processors of its own", "node " + node, "name those of: " + byNode.keySet());
    }
    return found;
  }

  @Override
  public Frequencies frequencies(String node) {
    return Frequencies.of(
        reported(node).policies().stream().flatMap(policy -> policy.clocks().stream()).toList());
  }

  @Override
  public ClockOutcome set(String node, long kiloHertz) {
    Reported of = reported(node);
    List<PolicyOutcome> outcomes = new ArrayList<>();
    for (Policy policy : of.policies()) {
      long clock = Frequencies.of(policy.clocks()).atLeast(kiloHertz);
      told.accept(
          String.format(
              Locale.ROOT,
              "%s: %s would be set to %.2f GHz",
              of.node().agent().describe(),
              policy.policy(),
              clock / 1e6));
      outcomes.add(new PolicyOutcome(policy.policy(), clock, clock, PolicyOutcome.Result.SET, ""));
    }
    return new ClockOutcome(node, kiloHertz, outcomes, Set.of());
  }

  @Override
  public List<Drift> verify() {
    return List.of();
  }

  /** {@inheritDoc} Agents do not report what is in force before it is leased. */
  @Override
  public long kiloHertz(String node) {
    return 0;
  }
}
