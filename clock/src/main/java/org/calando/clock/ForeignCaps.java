package org.calando.clock;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;

/*
 * An upper limit reads as the strictest that anybody asks for, so behind a cap of firmware or heat
 * lies a limit that cannot be read, and that the first write would end for good. Both show
 * themselves elsewhere: firmware in bios_limit, heat in the state of the kernel's cooling devices.
 */
/** Who else holds a policy's clock down now. Stateless. */
final class ForeignCaps {
  private static final Pattern COOLS_BY_CLOCK =
      Pattern.compile("Processor|cpufreq-.*|thermal-cpufreq-.*");

  private ForeignCaps() {}

  /**
   * A policy's settings, if they are what was set.
   *
   * @param machine whose cooling devices are looked at
   * @param now as they read
   * @throws BadRequestException if the upper limit that was set is hidden behind a cap
   */
  static PolicySettings requireNone(Machine machine, CpufreqPolicy policy, PolicySettings now) {
    hiding(machine, policy, now)
        .ifPresent(
            why -> {
              throw new BadRequestException(
                  "has an upper limit of "
                      + now.maxKHz()
                      + " kHz, and its value without that is not known: "
                      + why,
                  policy.folder().toString(),
                  "wait until it is lifted, then repeat the command");
            });
    return now;
  }

  /** Why it cannot be told what upper limit was set; nothing if what it reads is that. */
  static Optional<String> hiding(Machine machine, CpufreqPolicy policy, PolicySettings now) {
    if (now.maxKHz() >= policy.maxKHz()) {
      return Optional.empty();
    }
    try {
      Path file = policy.folder().resolve("bios_limit");
      if (Files.exists(file)) {
        long firmware = PolicySettings.kiloHertz(machine.files(), file);
        if (firmware < policy.maxKHz() && now.maxKHz() >= firmware) {
          return Optional.of("firmware holds it at " + firmware + " kHz (" + file + ")");
        }
      }
      return heat(machine);
    } catch (IOException e) {
      return Optional.of("whether firmware or heat holds it there cannot be read: " + e);
    }
  }

  private static Optional<String> heat(Machine machine) throws IOException {
    Path folder = machine.thermal();
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> devices = Files.newDirectoryStream(folder, "cooling_device*")) {
      for (Path device : devices) {
        String type = machine.files().read(device.resolve("type"));
        if (COOLS_BY_CLOCK.matcher(type).matches()
            && !machine.files().read(device.resolve("cur_state")).equals("0")) {
          return Optional.of("heat holds clocks down (" + device + ", " + type + ")");
        }
      }
    }
    return Optional.empty();
  }
}
