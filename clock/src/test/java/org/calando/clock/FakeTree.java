package org.calando.clock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Processors and their clocks as files in a folder, as Linux shows them. */
public final class FakeTree {
  /** The ways in which Linux drives clocks. */
  public enum Kind {
    ACPI_CPUFREQ(
        "acpi-cpufreq", "conservative ondemand userspace powersave performance schedutil", true),
    INTEL_PASSIVE("intel_cpufreq", "conservative userspace powersave performance schedutil", false),
    INTEL_ACTIVE("intel_pstate", "performance powersave", false),
    AMD_PASSIVE("amd-pstate", "ondemand userspace powersave performance schedutil", false),
    AMD_ACTIVE("amd-pstate-epp", "performance powersave", false),
    CPPC("cppc_cpufreq", "conservative userspace powersave performance schedutil", false),
    ACPI_WITHOUT_USERSPACE("acpi-cpufreq", "powersave performance schedutil", true);

    final String driver;
    final String governors;
    final boolean listed;

    Kind(String driver, String governors, boolean listed) {
      this.driver = driver;
      this.governors = governors;
      this.listed = listed;
    }

    /** The governor that is in force before anybody comes. */
    String usual() {
      return governors.contains("schedutil") ? "schedutil" : "powersave";
    }
  }

  /** Clocks of the hardware, in kHz. */
  public static final long MIN = 1_000_000;

  /** The fastest. */
  public static final long MAX = 2_200_000;

  private static final List<String> SAVED =
      List.of("scaling_governor", "scaling_min_freq", "scaling_max_freq");

  /** The folder that stands for the machine's processors. */
  public final Path root;

  FakeTree(Path root) {
    this.root = root;
    put(Path.of("online"), "0-63");
  }

  /** As many processors, each with a clock of its own. */
  public static FakeTree of(Path root, Kind kind, int cpus) {
    FakeTree tree = new FakeTree(root);
    for (int cpu = 0; cpu < cpus; cpu++) {
      tree.policy(cpu, kind, String.valueOf(cpu)).core(cpu, String.valueOf(cpu));
    }
    return tree;
  }

  /** Adds a policy over some processors, within limits of its own that are not the hardware's. */
  public FakeTree policy(int number, Kind kind, String cpus) {
    put(number, "scaling_driver", kind.driver);
    put(number, "related_cpus", cpus);
    put(number, "affected_cpus", cpus);
    put(number, "scaling_available_governors", kind.governors + " ");
    put(number, "scaling_governor", kind.usual());
    put(number, "cpuinfo_min_freq", String.valueOf(MIN));
    put(number, "cpuinfo_max_freq", String.valueOf(MAX));
    put(number, "scaling_min_freq", "1200000");
    put(number, "scaling_max_freq", "2000000");
    put(number, "scaling_cur_freq", "1400000");
    put(number, "scaling_setspeed", "<unsupported>");
    if (kind.listed) {
      put(
          number,
          "scaling_available_frequencies",
          "2200000 2000000 1800000 1600000 1400000 1200000 1000000 ");
    }
    return this;
  }

  /** Other clocks of the hardware than most have, as small cores and turbo do; none is listed. */
  FakeTree range(int policy, long minKHz, long maxKHz) {
    put(policy, "cpuinfo_min_freq", String.valueOf(minKHz));
    put(policy, "cpuinfo_max_freq", String.valueOf(maxKHz));
    put(policy, "scaling_min_freq", String.valueOf(minKHz));
    put(policy, "scaling_max_freq", String.valueOf(maxKHz));
    put(policy, "scaling_cur_freq", String.valueOf(minKHz));
    return this;
  }

  /** The state of the kernel's device that cools by clocks; 0 for none. */
  FakeTree cooling(int state) {
    Path device = Path.of("../../../class/thermal/cooling_device3");
    put(device.resolve("type"), "Processor");
    put(device.resolve("cur_state"), String.valueOf(state));
    return this;
  }

  /** Says which processors share the core of one. */
  public FakeTree core(int cpu, String siblings) {
    put(Path.of("cpu" + cpu, "topology", "core_cpus_list"), siblings);
    return this;
  }

  List<Path> policies() throws IOException {
    try (Stream<Path> folders = Files.list(root.resolve("cpufreq"))) {
      return folders.sorted().toList();
    }
  }

  Path folder(int policy) {
    return root.resolve("cpufreq").resolve("policy" + policy);
  }

  /** Writes what somebody else would. */
  public FakeTree put(int policy, String attribute, String value) {
    put(root.relativize(folder(policy)).resolve(attribute), value);
    return this;
  }

  /** What an attribute of a policy reads. */
  public String get(int policy, String attribute) {
    try {
      return SysfsFiles.real().read(folder(policy).resolve(attribute));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All that is to be restored. */
  public Map<String, String> saved() {
    Map<String, String> saved = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file :
          files.filter(path -> SAVED.contains(path.getFileName().toString())).toList()) {
        saved.put(root.relativize(file).toString(), SysfsFiles.real().read(file));
      }
      return saved;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes a policy away, as when its processors go offline. */
  public void vanish(int policy) {
    try {
      Files.move(folder(policy), root.resolve("away" + policy));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Brings it back. */
  public void comeBack(int policy) {
    try {
      Files.move(root.resolve("away" + policy), folder(policy));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void put(Path file, String value) {
    try {
      Path whole = root.resolve(file).normalize();
      Files.createDirectories(whole.getParent());
      Files.writeString(whole, value + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
