package org.calando.study;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Processors with a clock each, as files in a folder that looks like Linux's. */
final class FakeCpus {
  static final long FASTEST = 2_200_000;
  static final long SLOWEST = 1_000_000;

  private final Path root;

  /** So many, from processor 0 on. */
  FakeCpus(Path root, int processors) {
    this(root, 0, processors);
  }

  FakeCpus(Path root, int first, int processors) {
    this.root = root;
    for (int cpu = first; cpu < first + processors; cpu++) {
      TestStudy.write(root.resolve("cpu" + cpu + "/topology/core_cpus_list"), cpu + "\n");
      Path policy = root.resolve("cpufreq/policy" + cpu);
      Map<String, String> files =
          Map.ofEntries(
              Map.entry("scaling_driver", "acpi-cpufreq"),
              Map.entry("related_cpus", String.valueOf(cpu)),
              Map.entry("affected_cpus", String.valueOf(cpu)),
              Map.entry("scaling_available_governors", "ondemand userspace"),
              Map.entry("scaling_available_frequencies", FASTEST + " 1600000 " + SLOWEST),
              Map.entry("scaling_governor", "ondemand"),
              Map.entry("cpuinfo_min_freq", String.valueOf(SLOWEST)),
              Map.entry("cpuinfo_max_freq", String.valueOf(FASTEST)),
              Map.entry("scaling_min_freq", String.valueOf(SLOWEST)),
              Map.entry("scaling_max_freq", "1600000"),
              Map.entry("scaling_cur_freq", "1600000"),
              Map.entry("scaling_setspeed", "<unsupported>"));
      files.forEach((name, value) -> TestStudy.write(policy.resolve(name), value + "\n"));
    }
  }

  Path root() {
    return root;
  }

  /** All that has to be as before when nobody has a clock any more. */
  Map<String, String> restorable() {
    Map<String, String> values = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        if (String.valueOf(file.getFileName()).matches("scaling_(governor|min_freq|max_freq)")) {
          values.put(
              root.relativize(file).toString(), Files.readString(file).lines().toList().get(0));
        }
      }
      return values;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
