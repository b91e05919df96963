package org.calando.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Processors with a clock each, as files in a folder that looks like Linux's. */
final class FakeClocks {
  /** Limit that an administrator has set, in kHz. */
  static final String BEFORE = "1200000";

  private static final Map<String, String> FILES =
      Map.of(
          "scaling_driver", "intel_pstate",
          "scaling_available_governors", "performance powersave",
          "scaling_governor", "powersave",
          "scaling_min_freq", "1000000",
          "scaling_max_freq", BEFORE,
          "cpuinfo_min_freq", "1000000",
          "cpuinfo_max_freq", "2200000");

  private final Path root;
  private final int processors;

  FakeClocks(Path root, int processors) {
    this.root = root;
    this.processors = processors;
    try {
      for (int cpu = 0; cpu < processors; cpu++) {
        Files.createDirectories(root.resolve("cpu" + cpu));
        Files.createDirectories(policy(cpu));
        for (Map.Entry<String, String> file : FILES.entrySet()) {
          Files.writeString(policy(cpu).resolve(file.getKey()), file.getValue() + "\n");
        }
        for (String cpus : List.of("related_cpus", "affected_cpus")) {
          Files.writeString(policy(cpu).resolve(cpus), cpu + "\n");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder of a processor's clock. */
  Path policy(int cpu) {
    return root.resolve("cpufreq").resolve("policy" + cpu);
  }

  /** The limits in force, in kHz, by processor. */
  List<String> limits() {
    return IntStream.range(0, processors).mapToObj(this::limit).toList();
  }

  private String limit(int cpu) {
    try {
      return Files.readString(policy(cpu).resolve("scaling_max_freq")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
