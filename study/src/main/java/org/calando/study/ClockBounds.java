package org.calando.study;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import org.calando.clock.ClockAbilities;
import org.calando.clock.Machine;
import org.calando.clock.thread.CpuSet;
import org.calando.core.BadRequestException;
import org.calando.core.energy.PStates;
import org.calando.engine.InventorySpec;
import org.calando.engine.InventoryTarget;
import org.calando.studyfile.ManagedClocks;
import org.calando.studyfile.StudySpec;

/** What clocks a study may set: those that this machine lets it. Looks, and changes nothing. */
public final class ClockBounds {
  private static final String SEE = "./calando clocks shows what can be set and why not";

  private final ManagedClocks spec;
  private final ClockAbilities abilities;

  private ClockBounds(ManagedClocks spec) {
    this.spec = spec;
    this.abilities = ClockAbilities.of(Machine.at(spec.tree()));
  }

  /**
   * Looks at the clocks of a study's nodes.
   *
   * @return empty if the study sets none on a real cluster
   * @throws BadRequestException if they cannot be set
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
   */
  public static ClockBounds require(ManagedClocks spec, Optional<InventorySpec> inventory) {
    inventory.ifPresent(ClockBounds::requireHere);
    ClockBounds bounds = new ClockBounds(spec);
    bounds.requireClocks();
    bounds.requireProcessors();
    bounds.requirePinning();
    return bounds;
  }

  private static void requireHere(InventorySpec inventory) {
    for (InventorySpec.Node node : inventory.nodes()) {
      if (node.pid().isEmpty() && !InventoryTarget.isOnThisMachine(node)) {
        throw new BadRequestException(
            "its clocks cannot be set from here, as it is on another machine",
            "node " + node.name(),
            "run this on the machine that has the nodes, or manage no clocks");
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
          "threads cannot be moved to processors " + missing + ", which this machine has not",
          key,
          "leave it out, or name others of " + there);
    }
  }

  /** Whether the nodes' threads are moved onto their processors. */
  public boolean pins() {
    return spec.readOffload().isPresent()
        || spec.pin().orElse(spec.isRealTree() && abilities.affinity().isEmpty());
  }

  /** P-states by which joules are modelled. */
  PStates states() {
    return spec.states()
        .orElseGet(() -> PStates.ofClocks(clocksKHz(), PStates.USUAL_VOLTAGE_RATIO));
  }

  private List<Long> clocksKHz() {
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
    json.put("tree", spec.tree().toString());
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
