package org.calando.governor.http;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/**
 * What this process costs. Immutable.
 *
 * @param cpuSeconds CPU time so far; empty if the system does not say
 * @param residentBytes memory of it that is in use; empty where there is no /proc
 * @param heapBytes of Java's heap in use
 */
record OwnCost(OptionalDouble cpuSeconds, OptionalDouble residentBytes, double heapBytes) {
  /** So far. */
  static OwnCost now() {
    return new OwnCost(
        cpu(), resident(), ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
  }

  private static OptionalDouble cpu() {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      long nanos = system.getProcessCpuTime();
      return nanos < 0 ? OptionalDouble.empty() : OptionalDouble.of(nanos / 1e9);
    }
    return OptionalDouble.empty();
  }

  private static OptionalDouble resident() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> 1024 * Double.parseDouble(line.replaceAll("\\D", "")))
          .findFirst();
    } catch (IOException e) {
      return OptionalDouble.empty();
    }
  }
}
