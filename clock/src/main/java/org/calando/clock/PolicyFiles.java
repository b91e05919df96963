package org.calando.clock;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/*
 * What limits read is not what was asked for: the kernel shows the strictest of all askers, heat and
 * firmware among them. So a limit that reads as it is to be is written all the same, else another
 * one that lies behind the cap would come to light when the cap is lifted.
 */
/** Writes a policy's attributes in the order in which the kernel takes them. Immutable. */
final class PolicyFiles {
  /** The kernel takes nothing while it brings processors online or offline, mostly for less. */
  private static final int BUSY_ATTEMPTS = 10;

  private static final long BUSY_PAUSE_NANOS = 1_000_000;

  private final SysfsFiles files;
  private final Path folder;

  PolicyFiles(SysfsFiles files, Path folder) {
    this.files = files;
    this.folder = folder;
  }

  /** Writes one attribute; the error names the file and the value. */
  void write(String attribute, String value) throws IOException {
    Path file = folder.resolve(attribute);
    for (int attempt = 1; ; attempt++) {
      try {
        files.write(file, value);
        return;
      } catch (NoSuchFileException e) {
        throw e;
      } catch (IOException e) {
        String why = String.valueOf(e.getMessage());
        if (!why.contains("busy") || attempt == BUSY_ATTEMPTS) {
          throw new IOException(file + " does not take " + value + ": " + why, e);
        }
      }
      LockSupport.parkNanos(BUSY_PAUSE_NANOS);
    }
  }

  /**
   * Moves both limits: the upper one first where it goes up, the lower one first where it goes
   * down, so that they never cross. What lies behind a cap may be crossed nevertheless, which older
   * kernels refuse: then the other way round.
   */
  void limits(PolicySettings now, long minKHz, long maxKHz) throws IOException {
    String min = Long.toString(minKHz);
    String max = Long.toString(maxKHz);
    if (maxKHz > now.maxKHz()) {
      both(PolicySettings.MAX, max, PolicySettings.MIN, min);
    } else {
      both(PolicySettings.MIN, min, PolicySettings.MAX, max);
    }
  }

  private void both(String first, String value, String second, String other) throws IOException {
    try {
      write(first, value);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException crossed) {
      write(second, other);
      write(first, value);
      return;
    }
    write(second, other);
  }
}
