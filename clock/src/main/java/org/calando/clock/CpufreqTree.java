package org.calando.clock;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.core.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel tells of a machine's processors and their clocks. Immutable and thread safe.
 *
 * @param root the folder of processors
 * @param policies by the number of their first processor
 * @param siblings the logical processors of each processor's core, itself included
 * @param globals switches for the whole machine and their values, which Calando never touches
 * @param faults what could not be read, in words
 */
public record CpufreqTree(
    Path root,
    List<CpufreqPolicy> policies,
    Map<Integer, CpuSet> siblings,
    Map<String, String> globals,
    List<String> faults) {
  /** This machine's processors. */
  public static final Path MACHINE = Path.of("/sys/devices/system/cpu");

  /** The order in which policies are told and set. */
  static final Comparator<CpufreqPolicy> BY_FIRST_CPU = Comparator.comparing(CpufreqTree::firstCpu);

  private static final List<String> GLOBALS =
      List.of("cpufreq/boost", "intel_pstate/status", "intel_pstate/no_turbo", "amd_pstate/status");

  public CpufreqTree {
    policies = List.copyOf(policies);
    siblings = Map.copyOf(siblings);
    globals = java.util.Collections.unmodifiableMap(new TreeMap<>(globals));
    faults = List.copyOf(faults);
  }

  /** Reads a machine's; what cannot be read is among the faults. */
  public static CpufreqTree read(Path root, SysfsFiles files) {
    List<String> faults = new ArrayList<>();
    List<CpufreqPolicy> policies = new ArrayList<>();
    for (Path folder : folders(root.resolve("cpufreq"), "policy", faults)) {
      try {
        policies.add(CpufreqPolicy.read(files, folder));
      } catch (IOException e) {
        faults.add(folder.getFileName() + " cannot be read: " + e);
      }
    }
    policies.sort(BY_FIRST_CPU);
    Map<Integer, CpuSet> siblings = new TreeMap<>();
    for (Path folder : folders(root, "cpu", faults)) {
      int cpu = Integer.parseInt(folder.getFileName().toString().substring("cpu".length()));
      siblings.put(cpu, siblings(files, folder, cpu));
    }
    Map<String, String> globals = new TreeMap<>();
    for (String name : GLOBALS) {
      try {
        globals.put(name, files.read(root.resolve(name)));
      } catch (IOException absent) {
        // other drivers have none
      }
    }
    return new CpufreqTree(root, policies, siblings, globals, faults);
  }

  /** Its processors. */
  public CpuSet cpus() {
    return CpuSet.of(siblings.keySet().stream().mapToInt(Integer::intValue).toArray());
  }

  /** Policies whose clocks cannot differ: one, or those that share a core. */
  public List<ClockDomain> domains() {
    List<ClockDomain> domains = new ArrayList<>();
    for (CpufreqPolicy policy : policies) {
      ClockDomain domain = new ClockDomain(List.of(policy), cores(policy.cpus()));
      for (ClockDomain other : List.copyOf(domains)) {
        if (other.cores().intersects(domain.cores())) {
          domains.remove(other);
          domain = other.with(domain);
        }
      }
      domains.add(domain);
    }
    return domains;
  }

  /** All logical processors of the cores of some. */
  private CpuSet cores(CpuSet cpus) {
    List<CpuSet> all = new ArrayList<>(List.of(cpus));
    for (int cpu : cpus.cpus()) {
      @Nullable CpuSet core = siblings.get(cpu);
      if (core != null) {
        all.add(core);
      }
    }
    return CpuSet.union(all);
  }

  private static int firstCpu(CpufreqPolicy policy) {
    return policy.cpus().isEmpty() ? Integer.MAX_VALUE : policy.cpus().cpus().get(0);
  }

  private static CpuSet siblings(SysfsFiles files, Path folder, int cpu) {
    for (String name : List.of("core_cpus_list", "thread_siblings_list")) {
      try {
        return CpuSet.union(
            List.of(
                CpuSet.of(cpu),
                CpuSet.parse(files.read(folder.resolve("topology").resolve(name)))));
      } catch (IOException | IllegalArgumentException absent) {
        // the older name, or offline: a core of its own
      }
    }
    return CpuSet.of(cpu);
  }

  private static List<Path> folders(Path parent, String prefix, List<String> faults) {
    List<Path> folders = new ArrayList<>();
    if (!Files.isDirectory(parent)) {
      faults.add(parent + " is not there");
      return folders;
    }
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(
            parent, path -> path.getFileName().toString().matches(prefix + "\\d{1,5}"))) {
      found.forEach(folders::add);
    } catch (IOException e) {
      faults.add(parent + " cannot be read: " + e.getMessage());
    }
    return folders;
  }
}
