package org.calando.clock;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;

/**
 * What a machine lets this process do to clocks and threads. Immutable and thread safe.
 *
 * @param root the folder of processors that was read
 * @param remains what can be done
 * @param policies each policy
 * @param shared domains of several policies, or of processors that share a core: one clock each
 * @param globals switches of the whole machine, which are never touched
 * @param affinity what is missing to move threads; empty if nothing is
 * @param lacks what cannot be done and why
 */
public record ClockAbilities(
    String root,
    Remains remains,
    List<Policy> policies,
    List<String> shared,
    Map<String, String> globals,
    String affinity,
    List<String> lacks) {
  /** What can be done. */
  public enum Remains {
    /** Clocks can be set and threads moved. */
    CLOCKS_AND_THREADS,
    /** Clocks can be set; threads stay where they are. */
    CLOCKS,
    /** Threads can be moved to cores whose clocks stay as they are. */
    THREADS,
    /** Nothing can be done but to tell what would be. */
    DRY_RUN
  }

  /**
   * One policy.
   *
   * @param name its name
   * @param driver the kernel's driver
   * @param cpus its processors
   * @param steering how it would be set
   * @param frequencies that it can be set to, in kHz
   * @param listed whether the driver lists them
   * @param governor that rules it now
   * @param lack why it cannot be set; empty if it can
   */
  public record Policy(
      String name,
      String driver,
      CpuSet cpus,
      Steering steering,
      Frequencies frequencies,
      boolean listed,
      String governor,
      String lack) {}

  public ClockAbilities {
    policies = List.copyOf(policies);
    shared = List.copyOf(shared);
    lacks = List.copyOf(lacks);
  }

  /** Looks, and changes nothing. */
  public static ClockAbilities of(Machine machine) {
    return new AbilitiesReader(machine).read();
  }

  /** The same, and nothing can be set if that cannot be noted: nobody could restore it. */
  public static ClockAbilities of(Machine machine, LeaseFolders folders) {
    ClockAbilities found = of(machine);
    try {
      folders.requireUsable(machine);
      return found;
    } catch (BadRequestException e) {
      List<String> lacks = new ArrayList<>(found.lacks());
      lacks.add(e.problem() + "; remedy: " + e.remedy());
      return new ClockAbilities(
          found.root(),
          Remains.DRY_RUN,
          found.policies(),
          found.shared(),
          found.globals(),
          found.affinity(),
          lacks);
    }
  }

  /** For programs. */
  public ObjectNode json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("root", root);
    answer.put("remains", word(remains));
    answer.putArray("policies");
    for (Policy policy : policies) {
      ObjectNode entry = answer.withArray("policies").addObject();
      entry.put("policy", policy.name());
      entry.put("driver", policy.driver());
      entry.put("cpus", policy.cpus().toString());
      entry.put("steering", word(policy.steering()));
      entry.put("governor", policy.governor());
      entry.put("listed", policy.listed());
      policy.frequencies().all().forEach(entry.putArray("frequencies_khz")::add);
      entry.put("usable", policy.lack().isEmpty());
      entry.put("reason", policy.lack());
    }
    shared.forEach(answer.putArray("shared")::add);
    globals.forEach(answer.putObject("globals")::put);
    answer.put("affinity", affinity.isEmpty());
    answer.put("affinity_reason", affinity);
    lacks.forEach(answer.putArray("lacks")::add);
    return answer;
  }

  /** For people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Policy policy : policies) {
      lines.add(
          "%-10s %s: %s, processors %s, %s of %.1f to %.1f GHz, governor %s, by %s%s"
              .formatted(
                  policy.name(),
                  policy.lack().isEmpty() ? "usable" : "not usable",
                  policy.driver(),
                  policy.cpus(),
                  policy.frequencies().all().size() + (policy.listed() ? " P-states" : " steps"),
                  policy.frequencies().lowest() / 1e6,
                  policy.frequencies().highest() / 1e6,
                  policy.governor(),
                  word(policy.steering()),
                  policy.lack().isEmpty() ? "" : "; " + policy.lack()));
    }
    shared.forEach(one -> lines.add("one clock:  " + one));
    globals.forEach((name, value) -> lines.add("%s is %s and stays so".formatted(name, value)));
    lacks.forEach(lack -> lines.add("missing:    " + lack));
    lines.add("what remains: " + word(remains).replace('-', ' '));
    return lines;
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
