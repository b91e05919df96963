package org.calando.study;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.calando.agent.AgentNode;
import org.calando.agent.LeasedNodes;
import org.calando.agent.ReportedClocks;
import org.calando.clock.ClockAbilities;
import org.calando.clock.LeaseFolders;
import org.calando.clock.Machine;
import org.calando.clock.NodeClocks;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.energy.PStates;
import org.calando.engine.InventorySpec;
import org.calando.engine.InventoryTarget;
import org.calando.knob.ManagedClocks;
import org.calando.studyfile.StudySpec;

/**
 * What clocks may be set: those that this machine lets us, or the machines of agents. Looks, and
 * changes nothing.
 */
public final class ClockBounds {
  private static final String SEE = "./calando clocks shows what can be set and why not";

  private final ManagedClocks spec;
  private final ClockAbilities abilities;
  private final List<AgentNode> agents;
  private final Optional<ReportedClocks> reported;

  private ClockBounds(ManagedClocks spec, List<AgentNode> agents) {
    this.spec = spec;
    this.agents = List.copyOf(agents);
    this.abilities = ClockAbilities.of(Machine.at(spec.tree()));
    this.reported = agents.isEmpty() ? Optional.empty() : Optional.of(ReportedClocks.of(agents));
  }

  /**
   * Looks at the clocks of a study's nodes.
   *
   * @return empty if the study sets none on a real cluster
   * @throws BadRequestException if they cannot be set
   * @throws org.calando.core.FailedWorkException if an agent of their machines does not answer
   */
  static Optional<ClockBounds> require(StudySpec study) {
    if (study.store().isSimulated() || study.clocks().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(require(study.clocks().get(), study.store().inventory()));
  }

  /**
   * Looks at the clocks of nodes.
   *
   * @param inventory where they are; empty: on this machine
   * @throws BadRequestException if they cannot be set
   * @throws org.calando.core.FailedWorkException if an agent of their machines does not answer
   */
  public static ClockBounds require(ManagedClocks spec, Optional<InventorySpec> inventory) {
    List<AgentNode> agents = inventory.map(nodes -> agents(nodes, spec)).orElse(List.of());
    if (!agents.isEmpty()) {
      return new ClockBounds(spec, agents);
    }
    inventory.ifPresent(
        nodes ->
            requireHere(
                nodes,
                "name its agent in the inventory (docs/agent.md), or run this on its machine"));
    return here(spec);
  }

  private static ClockBounds here(ManagedClocks spec) {
    ClockBounds bounds = new ClockBounds(spec, List.of());
    bounds.requireClocks();
    bounds.requireProcessors();
    bounds.requirePinning();
    return bounds;
  }

  /** The agents of the nodes' machines; empty if none is named. */
  private static List<AgentNode> agents(InventorySpec inventory, ManagedClocks spec) {
    List<InventorySpec.Node> without =
        inventory.nodes().stream().filter(node -> node.agent().isEmpty()).toList();
    if (without.size() == inventory.nodes().size()) {
      return List.of();
    }
    if (!without.isEmpty()) {
      throw new BadRequestException(
          "names no agent, and other nodes do",
          "node " + without.get(0).name(),
          "run one on each machine; on this one too");
    }
    if (spec.readOffload().isPresent() || !spec.isRealTree()) {
      throw new BadRequestException(
          "is not supported with agents",
          spec.isRealTree() ? "clocks.read-offload" : "clocks.sysfs",
          spec.isRealTree() ? "remove it" : "write it in the agents' files");
    }
    List<AgentNode> agents = new ArrayList<>();
    for (InventorySpec.Node node : inventory.nodes()) {
      CpuSet cpus = spec.cpus().get(node.name());
      if (cpus != null) {
        agents.add(new AgentNode(node.name(), node.agent().orElseThrow(), cpus));
      }
    }
    return agents;
  }

  private static void requireHere(InventorySpec inventory, String remedy) {
    for (InventorySpec.Node node : inventory.nodes()) {
      if (node.pid().isEmpty() && !InventoryTarget.isOnThisMachine(node)) {
        throw new BadRequestException(
            "its clocks cannot be set from here, as it is on another machine",
            "node " + node.name(),
            remedy);
      }
    }
  }

  private void requireClocks() {
    boolean clocks = abilities.policies().stream().anyMatch(policy -> policy.lack().isEmpty());
    if (!clocks) {
      throw new BadRequestException(
          "no clock can be set: "
              + String.join("; ", abilities.lacks())
              + "; what remains is "
              + (abilities.affinity().isEmpty() ? "to move threads" : "a dry run"),
          "clocks.sysfs " + abilities.root(),
          "run it where Linux sets clocks (docs/clock.md), or manage no clocks");
    }
  }

  private void requireProcessors() {
    CpuSet usable =
        CpuSet.union(
            abilities.policies().stream()
                .filter(policy -> policy.lack().isEmpty())
                .map(ClockAbilities.Policy::cpus)
                .toList());
    spec.cpus().forEach((node, cpus) -> requireWithin(usable, cpus, "clocks.cpus." + node));
    spec.readOffload().ifPresent(cpus -> requireWithin(usable, cpus, "clocks.read-offload"));
  }

  private static void requireWithin(CpuSet usable, CpuSet cpus, String where) {
    CpuSet missing = cpus.without(usable);
    if (!missing.isEmpty()) {
      throw new BadRequestException(
          "no clock can be set of processors " + missing + " (there are " + usable + ")",
          where,
          SEE);
    }
  }

  private void requirePinning() {
    if (!spec.pin().orElse(spec.readOffload().isPresent())) {
      return;
    }
    String key = spec.readOffload().isPresent() ? "clocks.read-offload" : "clocks.pin";
    if (!abilities.affinity().isEmpty()) {
      throw new BadRequestException(
          "threads cannot be moved: " + abilities.affinity(), key, "leave it out");
    }
    CpuSet there = Machine.real().tree().cpus();
    CpuSet missing = spec.all().without(there);
    if (!missing.isEmpty()) {
      throw new BadRequestException(
          "threads cannot be moved to processors " + missing + ", which this machine does not have",
          key,
          "leave it out, or name others of " + there);
    }
  }

  /** Whether the nodes' threads are moved onto their processors. */
  public boolean pins() {
    return spec.readOffload().isPresent()
        || spec.pin()
            .orElseGet(
                () ->
                    reported
                        .map(ReportedClocks::movesThreads)
                        .orElse(spec.isRealTree() && abilities.affinity().isEmpty()));
  }

  /** Clocks of agents' machines of which each that would be set is a line; empty without agents. */
  public Optional<NodeClocks> ofAgents(Consumer<String> told) {
    return reported.map(clocks -> clocks.telling(told));
  }

  /**
   * Takes the clocks.
   *
   * @param cluster what its governors call it
   * @param managed the nodes
   * @param folders where it is noted how clocks were
   * @param owner who has them, for others who are refused
   * @param told takes lines for people
   * @throws BadRequestException if another has them
   * @throws org.calando.core.FailedWorkException if one cannot be set after all, or nobody can
   *     watch over them
   */
  public LeasedNodes lease(
      String cluster,
      ManagedNodes managed,
      LeaseFolders folders,
      String owner,
      Consumer<String> told) {
    return agents.isEmpty()
        ? LeasedNodes.here(Machine.at(spec.tree()), folders, owner, managed.leased(), pins(), told)
        : LeasedNodes.ofAgents(
            cluster, owner + ", on " + LeasedNodes.hostName(), agents, spec.pin(), folders);
  }

  /** Whether agents set them, on the machines of their nodes. */
  public boolean areOfAgents() {
    return !agents.isEmpty();
  }

  /** Servers without a name of their own go by their addresses. */
  public static String nameOf(InventorySpec inventory) {
    String addresses =
        inventory.nodes().stream()
            .map(node -> node.address() + ":" + node.port())
            .sorted()
            .collect(Collectors.joining(" "));
    return "servers-" + Integer.toHexString(addresses.hashCode());
  }

  /** P-states by which joules are modelled. */
  PStates states() {
    return spec.states()
        .orElseGet(() -> PStates.ofClocks(clocksKHz(), PStates.USUAL_VOLTAGE_RATIO));
  }

  private List<Long> clocksKHz() {
    if (reported.isPresent()) {
      ReportedClocks clocks = reported.get();
      return clocks.nodes().stream()
          .flatMap(node -> clocks.frequencies(node).all().stream())
          .toList();
    }
    CpuSet used = spec.all();
    return abilities.policies().stream()
        .filter(policy -> policy.cpus().intersects(used))
        .flatMap(policy -> policy.frequencies().all().stream())
        .toList();
  }

  /** What is set, in words. */
  public String words() {
    LongSummaryStatistics clocks =
        clocksKHz().stream().mapToLong(Long::longValue).summaryStatistics();
    if (areOfAgents()) {
      long count = agents.stream().map(AgentNode::agent).distinct().count();
      return String.format(
          Locale.ROOT,
          "%d nodes, through %d %s, %.1f to %.1f GHz",
          agents.size(),
          count,
          count == 1 ? "agent" : "agents",
          clocks.getMin() / 1e6,
          clocks.getMax() / 1e6);
    }
    return String.format(
        Locale.ROOT,
        "%d nodes on processors %s, %.1f to %.1f GHz; their threads are %s",
        spec.cpus().size(),
        CpuSet.union(spec.cpus().values()),
        clocks.getMin() / 1e6,
        clocks.getMax() / 1e6,
        pins() ? "moved there" : "left where they are");
  }

  /** What is declared and what was found, for those who have to believe the figures. */
  ObjectNode json() {
    ObjectNode json = StudyFolder.object();
    if (areOfAgents()) {
      ArrayNode addresses = json.putArray("agents");
      agents.stream().map(node -> node.agent().uri().toString()).distinct().forEach(addresses::add);
    } else {
      json.put("tree", spec.tree().toString());
    }
    ObjectNode cpus = json.putObject("cpus");
    spec.cpus().forEach((node, set) -> cpus.put(node, set.toString()));
    json.put("states_text", states().describe());
    json.put("states_by", spec.states().isPresent() ? "declared" : "machine");
    json.put("core_watts", spec.coreWatts());
    json.put("static_share", spec.power().staticShare());
    json.put("threads_moved", pins());
    spec.readOffload().ifPresent(fast -> json.put("read_offload", fast.toString()));
    return json;
  }
}
