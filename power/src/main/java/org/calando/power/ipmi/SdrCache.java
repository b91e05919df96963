package org.calando.power.ipmi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A private temporary file with a controller's sensor records, so that a session that is opened
 * again need not read them all, which takes real controllers seconds.
 *
 * @param file ipmitool writes it; its name has no blanks or quotes
 */
record SdrCache(Path file) {
  /** A folder of its own; empty if there can be none, which only costs time. */
  static Optional<SdrCache> create() {
    try {
      return Optional.of(new SdrCache(Files.createTempDirectory("calando-ipmi").resolve("sdr")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  void delete() {
    try {
      Files.deleteIfExists(file);
      Path folder = file.getParent();
      if (folder != null) {
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      // A small file stays in the system's temporary folder, which the system empties.
    }
  }
}
