package org.calando.clock;

import java.io.IOException;
import java.nio.file.Path;

/** Writes a policy's attributes in the order in which the kernel takes them. Immutable. */
final class PolicyFiles {
  private final SysfsFiles files;
  private final Path folder;

  PolicyFiles(SysfsFiles files, Path folder) {
    this.files = files;
    this.folder = folder;
  }

  /** Writes one attribute; the error names the file and the value. */
  void write(String attribute, String value) throws IOException {
    Path file = folder.resolve(attribute);
    try {
      files.write(file, value);
    } catch (java.nio.file.NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(file + " does not take " + value + ": " + e.getMessage(), e);
    }
  }

  /**
   * Moves both limits: the upper one first where it goes up, the lower one first where it goes
   * down, so that they never cross. One that is right already is not written.
   */
  void limits(PolicySettings now, long minKHz, long maxKHz) throws IOException {
    if (maxKHz > now.maxKHz()) {
      max(now, maxKHz);
      min(now, minKHz);
    } else {
      min(now, minKHz);
      max(now, maxKHz);
    }
  }

  private void max(PolicySettings now, long maxKHz) throws IOException {
    if (now.maxKHz() != maxKHz) {
      write(PolicySettings.MAX, Long.toString(maxKHz));
    }
  }

  private void min(PolicySettings now, long minKHz) throws IOException {
    if (now.minKHz() != minKHz) {
      write(PolicySettings.MIN, Long.toString(minKHz));
    }
  }
}
