package org.calando.power.internal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks for the kernel's energy counters (RAPL). */
public final class Powercap {
  private Powercap() {}

  /**
   * Why powercap cannot tell the energy of one of several processes.
   *
   * @param root {@code /sys/class/powercap}
   */
  public static String obstacle(Path root) {
    String pattern = root + "/*/energy_uj";
    try (DirectoryStream<Path> zones = Files.newDirectoryStream(root)) {
      for (Path zone : zones) {
        Path counter = zone.resolve("energy_uj");
        if (Files.exists(counter)) {
          return Files.isReadable(counter)
              ? counter + " counts a whole processor, not each node"
              : counter + " cannot be read by this user";
        }
      }
    } catch (IOException e) {
      // No such folder: the same answer as no counter in it.
    }
    return "no " + pattern + " on this machine";
  }
}
