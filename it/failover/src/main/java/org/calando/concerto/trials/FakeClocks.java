package org.calando.concerto.trials;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Processors with a clock each, as files in a folder that looks like Linux's. Thread safe. */
public final class FakeClocks {
  /** The fastest clock in kHz. */
  public static final long FASTEST = 2_200_000;

  /** The slowest in kHz, but for those made with others. */
  static final long SLOWEST = 1_000_000;

  /** Those of the Xeon Silver 4114 in Concerto's table 2. */
  private static final List<Long> CONCERTOS =
      List.of(FASTEST, 2_000_000L, 1_800_000L, 1_600_000L, 1_400_000L, 1_200_000L, SLOWEST);

  private final Path root;

  /**
   * Makes processors with the clocks of Concerto's.
   *
   * @param root a folder, made if it is not there
   * @param processors how many
   */
  public FakeClocks(Path root, int processors) {
    this(root, processors, CONCERTOS);
  }

  /**
   * Makes processors with other clocks.
   *
   * @param clocksKHz that they can run at, the first of them {@link #FASTEST}, the last the slowest
   */
  public FakeClocks(Path root, int processors, List<Long> clocksKHz) {
    this.root = root;
    long slowest = clocksKHz.get(clocksKHz.size() - 1);
    String listed = clocksKHz.stream().map(kHz -> kHz + " ").collect(Collectors.joining());
    for (int cpu = 0; cpu < processors; cpu++) {
      put(root.resolve("cpu" + cpu + "/topology/core_cpus_list"), String.valueOf(cpu));
      Path policy = policy(cpu);
      put(policy.resolve("scaling_driver"), "acpi-cpufreq");
      put(policy.resolve("related_cpus"), String.valueOf(cpu));
      put(policy.resolve("affected_cpus"), String.valueOf(cpu));
      put(policy.resolve("scaling_available_governors"), "ondemand userspace performance ");
      put(policy.resolve("scaling_available_frequencies"), listed);
      put(policy.resolve("scaling_governor"), "ondemand");
      put(policy.resolve("cpuinfo_min_freq"), String.valueOf(slowest));
      put(policy.resolve("cpuinfo_max_freq"), String.valueOf(FASTEST));
      put(policy.resolve("scaling_min_freq"), "1200000");
      put(policy.resolve("scaling_max_freq"), "2000000");
      put(policy.resolve("scaling_cur_freq"), "1400000");
      put(policy.resolve("scaling_setspeed"), "<unsupported>");
    }
  }

  /** The folder that stands for the machine's processors. */
  public Path root() {
    return root;
  }

  /** The folder of policies. */
  public Path cpufreq() {
    return root.resolve("cpufreq");
  }

  /**
   * The clock that is asked of a processor, in kHz; 0 while none is, or its file is being written.
   */
  public long kiloHertz(int cpu) {
    String first = first(policy(cpu).resolve("scaling_setspeed"));
    return first.matches("\\d{1,9}") ? Long.parseLong(first) : 0;
  }

  /** What has to be as before of one processor; empty while one of its files is being written. */
  Optional<String> settings(int cpu) {
    List<String> all = new ArrayList<>();
    for (String name : List.of("scaling_governor", "scaling_min_freq", "scaling_max_freq")) {
      all.add(first(policy(cpu).resolve(name)));
    }
    return all.contains("") ? Optional.empty() : Optional.of(String.join(" ", all));
  }

  /** All that has to be as before when nobody holds a clock any more. */
  public Map<String, String> restorable() {
    Map<String, String> values = new TreeMap<>();
    try (Stream<Path> files = Files.walk(cpufreq())) {
      for (Path file :
          files
              .filter(path -> path.toString().matches(".*/scaling_(governor|min_freq|max_freq)"))
              .toList()) {
        values.put(cpufreq().relativize(file).toString(), first(file));
      }
      return values;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path policy(int cpu) {
    return cpufreq().resolve("policy" + cpu);
  }

  private static String first(Path file) {
    try {
      return Files.readString(file).lines().findFirst().orElse("").strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void put(Path file, String value) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, value + "\n", StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
