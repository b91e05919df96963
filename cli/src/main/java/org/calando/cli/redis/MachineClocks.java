package org.calando.cli.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.calando.core.energy.PStates;

/** Clocks that this machine's first core can run at, as far as Linux tells. */
public final class MachineClocks {
  private static final Path POLICY = Path.of("/sys/devices/system/cpu/cpufreq/policy0");

  /** Drivers that tell the slowest and fastest clock only take any between. */
  private static final int STEPS = 6;

  private MachineClocks() {}

  /** With voltages on a line, of the usual ratio; empty where no clock is told. */
  public static Optional<PStates> read() {
    List<Long> clocks = numbers("scaling_available_frequencies");
    if (clocks.isEmpty()) {
      List<Long> least = numbers("cpuinfo_min_freq");
      List<Long> most = numbers("cpuinfo_max_freq");
      if (least.isEmpty() || most.isEmpty()) {
        return Optional.empty();
      }
      clocks = new ArrayList<>();
      for (int step = 0; step <= STEPS; step++) {
        clocks.add(least.get(0) + (most.get(0) - least.get(0)) * step / STEPS);
      }
    }
    return Optional.of(PStates.ofClocks(clocks, PStates.USUAL_VOLTAGE_RATIO));
  }

  private static List<Long> numbers(String file) {
    try {
      return Arrays.stream(Files.readString(POLICY.resolve(file)).trim().split(" +"))
          .map(Long::parseLong)
          .toList();
    } catch (IOException | NumberFormatException none) {
      return List.of();
    }
  }
}
