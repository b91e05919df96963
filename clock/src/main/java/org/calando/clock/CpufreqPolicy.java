package org.calando.clock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.calando.core.CpuSet;

/**
 * Processors that the kernel sets the clock of together, as it describes them. Immutable and thread
 * safe.
 *
 * @param folder its attribute files
 * @param driver the kernel's driver
 * @param cpus its processors, those that are offline included
 * @param online those that are not
 * @param governors that can be chosen
 * @param frequencies that it can be set to
 * @param listed whether the driver lists them; else they are steps of its range
 * @param steering how it is set
 * @param minKHz the hardware's lowest clock in kHz
 * @param maxKHz the hardware's highest clock in kHz
 */
public record CpufreqPolicy(
    Path folder,
    String driver,
    CpuSet cpus,
    CpuSet online,
    List<String> governors,
    Frequencies frequencies,
    boolean listed,
    Steering steering,
    long minKHz,
    long maxKHz) {
  public CpufreqPolicy {
    governors = List.copyOf(governors);
  }

  /** The folder's name, such as {@code policy0}. */
  public String name() {
    Path name = folder.getFileName();
    return name == null ? folder.toString() : name.toString();
  }

  /** What is in force while Calando has it: limits wide open, and a governor that obeys. */
  PolicySettings leased(PolicySettings before) {
    return new PolicySettings(
        steering == Steering.SETSPEED ? PolicySettings.USERSPACE : before.governor(),
        minKHz,
        maxKHz,
        OptionalLong.empty());
  }

  /**
   * Reads a policy's folder.
   *
   * @throws IOException if it is none, or cannot be read
   */
  static CpufreqPolicy read(SysfsFiles files, Path folder) throws IOException {
    String driver = files.read(folder.resolve("scaling_driver"));
    List<String> governors = words(files.read(folder.resolve("scaling_available_governors")));
    long min = PolicySettings.kiloHertz(files, folder.resolve("cpuinfo_min_freq"));
    long max = PolicySettings.kiloHertz(files, folder.resolve("cpuinfo_max_freq"));
    List<Long> listed = listed(files, folder.resolve("scaling_available_frequencies"));
    try {
      return new CpufreqPolicy(
          folder,
          driver,
          CpuSet.parse(files.read(folder.resolve("related_cpus"))),
          CpuSet.parse(files.read(folder.resolve("affected_cpus"))),
          governors,
          listed.isEmpty() ? Frequencies.between(min, max) : Frequencies.of(listed),
          !listed.isEmpty(),
          Steering.of(driver, governors),
          min,
          max);
    } catch (IllegalArgumentException e) {
      throw new IOException(folder + ": " + e.getMessage(), e);
    }
  }

  private static List<Long> listed(SysfsFiles files, Path file) throws IOException {
    if (!java.nio.file.Files.exists(file)) {
      return List.of();
    }
    try {
      return words(files.read(file)).stream().map(Long::valueOf).toList();
    } catch (NumberFormatException e) {
      throw new IOException(file + " holds no list of clocks", e);
    }
  }

  private static List<String> words(String line) {
    return Arrays.stream(line.split("\\s+", -1)).filter(word -> !word.isEmpty()).toList();
  }
}
