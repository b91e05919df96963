package org.calando.power.powercap;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.calando.power.MeterException;

/**
 * A part of the machine with a counter of its own.
 *
 * @param folder where its files are
 * @param name what the kernel calls the part: {@code package-0}, {@code dram}, {@code psys}
 * @param maxMicrojoules value at which the counter starts again
 */
record Zone(Path folder, String name, long maxMicrojoules) {
  private static final int MOST_BYTES = 64;

  /** The counter, in microjoules. */
  long read() throws MeterException {
    return number(folder.resolve("energy_uj"));
  }

  static long number(Path file) throws MeterException {
    String text = text(file);
    try {
      long value = Long.parseLong(text);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new MeterException(
        "holds '" + text + "', not a counter", file.toString(), "see the kernel's log");
  }

  static String text(Path file) throws MeterException {
    // A stream, not a channel: an interrupt of the reading thread must not close it.
    try (FileInputStream in = new FileInputStream(file.toFile())) {
      return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
    } catch (FileNotFoundException e) {
      if (Files.exists(file)) {
        throw new MeterException(
            "cannot be read by this user",
            file.toString(),
            "as root: chmod a+r " + file + " (kernels since 5.10 keep it to root), or run as root",
            e);
      }
      throw new MeterException(
          "no longer exists", file.toString(), "see the kernel's log for the driver", e);
    } catch (IOException e) {
      throw new MeterException(
          "cannot be read: " + e.getMessage(), file.toString(), "see the kernel's log", e);
    }
  }
}
