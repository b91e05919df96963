package org.calando.clock;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.calando.clock.ClockAbilities.Policy;
import org.calando.clock.ClockAbilities.Remains;

/** Finds out what a machine lets this process do, without doing it. Used once. */
final class AbilitiesReader {
  private final Machine machine;
  private final CpufreqTree tree;

  AbilitiesReader(Machine machine) {
    this.machine = machine;
    this.tree = machine.tree();
  }

  ClockAbilities read() {
    List<String> lacks = new ArrayList<>(tree.faults());
    List<Policy> policies = tree.policies().stream().map(this::policy).toList();
    if (policies.isEmpty()) {
      lacks.add(
          tree.root()
              + "/cpufreq has no policy: virtual machines mostly have none, containers may not see"
              + " the host's; else load the processor's cpufreq driver");
    }
    policies.stream()
        .filter(policy -> !policy.lack().isEmpty())
        .forEach(policy -> lacks.add(policy.name() + ": " + policy.lack()));
    policies.stream()
        .filter(policy -> policy.steering() == Steering.PIN)
        .forEach(
            policy ->
                lacks.add(
                    policy.name()
                        + ": no governor userspace (modprobe cpufreq_userspace): both limits are"
                        + " set instead"));
    String affinity = machine.affinity().lack();
    if (!affinity.isEmpty()) {
      lacks.add("threads: " + affinity);
    } else if (!machine.proc().maySetAnyAffinity()) {
      lacks.add("threads: no CAP_SYS_NICE: only those of this user's processes can be moved");
    }
    boolean clocks = policies.stream().anyMatch(policy -> policy.lack().isEmpty());
    return new ClockAbilities(
        tree.root().toString(),
        remains(clocks, affinity.isEmpty()),
        policies,
        shared(),
        tree.globals(),
        affinity,
        lacks);
  }

  private static Remains remains(boolean clocks, boolean threads) {
    if (clocks) {
      return threads ? Remains.CLOCKS_AND_THREADS : Remains.CLOCKS;
    }
    return threads ? Remains.THREADS : Remains.DRY_RUN;
  }

  private Policy policy(CpufreqPolicy policy) {
    String governor = "unknown";
    String lack = "";
    try {
      governor = PolicySettings.read(machine.files(), policy.folder()).governor();
    } catch (IOException e) {
      lack = "its settings cannot be read: " + e.getMessage();
    }
    List<String> closed =
        written(policy).stream()
            .filter(name -> !machine.files().isWritable(policy.folder().resolve(name)))
            .toList();
    if (lack.isEmpty() && !closed.isEmpty()) {
      lack =
          String.join(", ", closed)
              + " may not be written: be root, and mount /sys writable (containers have it"
              + " read-only)";
    }
    if (policy.online().isEmpty()) {
      lack = "its processors are offline";
    }
    return new Policy(
        policy.name(),
        policy.driver(),
        policy.cpus(),
        policy.steering(),
        policy.frequencies(),
        policy.listed(),
        governor,
        lack);
  }

  private static List<String> written(CpufreqPolicy policy) {
    List<String> written = new ArrayList<>(List.of(PolicySettings.MIN, PolicySettings.MAX));
    if (policy.steering() == Steering.SETSPEED) {
      written.add(PolicySettings.GOVERNOR);
      written.add(PolicySettings.SETSPEED);
    }
    return written;
  }

  private List<String> shared() {
    return tree.domains().stream()
        .filter(domain -> domain.policies().size() > 1 || domain.cores().cpus().size() > 1)
        .map(domain -> "processors " + domain.cores() + " (" + domain.name() + ")")
        .toList();
  }
}
