package org.calando.slowcores;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads a tree of files that looks like {@code /sys/devices/system/cpu/cpufreq}: at what clock
 * cores would run by what was written there. Thread safe.
 */
final class FakeCpufreq {
  /** Drivers that choose clocks themselves, up to a cap, whatever their governor is called. */
  private static final Set<String> CAPPED = Set.of("intel_pstate", "amd-pstate-epp");

  private final Path root;

  FakeCpufreq(Path root) {
    this.root = root;
  }

  /** The folders of the policies. */
  List<Path> policies() throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      return entries
          .filter(entry -> String.valueOf(entry.getFileName()).startsWith("policy"))
          .filter(Files::isDirectory)
          .sorted()
          .toList();
    }
  }

  /** The fastest clock over the present one, 1 or more, by core. */
  Map<Integer, Double> slowdowns() throws IOException {
    Map<Integer, Double> slowdowns = new HashMap<>();
    for (Path policy : policies()) {
      double slowdown = number(policy, "cpuinfo_max_freq") / clockKHz(policy);
      for (int cpu : cpus(word(policy, "related_cpus"))) {
        slowdowns.put(cpu, Math.max(1, slowdown));
      }
    }
    return slowdowns;
  }

  private static double clockKHz(Path policy) throws IOException {
    double most = number(policy, "scaling_max_freq");
    double least = Math.min(most, number(policy, "scaling_min_freq"));
    boolean capped = CAPPED.contains(word(policy, "scaling_driver"));
    return switch (capped ? "" : word(policy, "scaling_governor")) {
      case "userspace" -> Math.max(least, Math.min(most, number(policy, "scaling_setspeed")));
      case "powersave" -> least;
      default -> most;
    };
  }

  private static double number(Path policy, String file) throws IOException {
    String text = word(policy, file);
    try {
      long number = Long.parseLong(text);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, with the file.
    }
    throw new IOException("'" + text + "' in " + policy.resolve(file));
  }

  /** The first line; empty for a file that is not there, or was just emptied to be written. */
  private static String word(Path policy, String file) throws IOException {
    Path path = policy.resolve(file);
    return Files.exists(path) ? Files.readString(path).strip().lines().findFirst().orElse("") : "";
  }

  /** Numbers and ranges, as the kernel lists them: {@code 0 1 4-6}. */
  private static List<Integer> cpus(String text) throws IOException {
    List<Integer> cpus = new ArrayList<>();
    try {
      for (String part : Arrays.stream(text.split("[ ,]+")).filter(p -> !p.isEmpty()).toList()) {
        int dash = part.indexOf('-');
        int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
        int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
        for (int cpu = first; cpu <= last; cpu++) {
          cpus.add(cpu);
        }
      }
    } catch (NumberFormatException e) {
      throw new IOException("'" + text + "' is no list of cores", e);
    }
    return cpus;
  }
}
