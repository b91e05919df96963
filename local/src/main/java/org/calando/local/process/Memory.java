package org.calando.local.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.calando.core.BadRequestException;

/** Memory that new processes can have: what the kernel says is available, within the cgroup. */
public final class Memory {
  private Memory() {}

  /** Bytes available to new processes; empty if the kernel does not tell. */
  public static OptionalLong availableBytes() {
    OptionalLong machine = OptionalLong.empty();
    try {
      machine = parseAvailable(Files.readString(Path.of("/proc/meminfo")));
    } catch (IOException e) {
      // not told
    }
    OptionalLong group = groupBytes(Path.of("/sys/fs/cgroup"));
    if (machine.isPresent() && group.isPresent()) {
      return OptionalLong.of(Math.min(machine.getAsLong(), group.getAsLong()));
    }
    return machine.isPresent() ? machine : group;
  }

  /**
   * Refuses if less is available than needed; an unknown amount is let pass.
   *
   * @throws BadRequestException with both figures
   */
  public static void require(long neededBytes, OptionalLong availableBytes, String remedy) {
    if (availableBytes.isPresent() && availableBytes.getAsLong() < neededBytes) {
      throw new BadRequestException(
          "memory is short: "
              + (neededBytes >> 20)
              + " MiB needed, "
              + (availableBytes.getAsLong() >> 20)
              + " MiB available",
          "",
          remedy);
    }
  }

  static OptionalLong parseAvailable(String meminfo) {
    return meminfo
        .lines()
        .filter(line -> line.startsWith("MemAvailable:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst();
  }

  /** Page cache that counts as used but gives way, as after a build. */
  private static long reclaimable(Path statistics) throws IOException {
    if (!Files.exists(statistics)) {
      return 0;
    }
    return Files.readString(statistics)
        .lines()
        .filter(line -> line.startsWith("inactive_file ") || line.startsWith("slab_reclaimable "))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1).trim()))
        .sum();
  }

  /** What a version 2 cgroup leaves; empty without a limit. */
  static OptionalLong groupBytes(Path group) {
    try {
      String limit = Files.readString(group.resolve("memory.max")).trim();
      if (limit.equals("max")) {
        return OptionalLong.empty();
      }
      long used = Long.parseLong(Files.readString(group.resolve("memory.current")).trim());
      long free = Math.max(0, Long.parseLong(limit) - used);
      return OptionalLong.of(free + reclaimable(group.resolve("memory.stat")));
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
