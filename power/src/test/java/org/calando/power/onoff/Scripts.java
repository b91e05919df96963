package org.calando.power.onoff;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Shell scripts of a test. */
record Scripts(Path folder) {
  /** A program of that name; it is run in any folder, and knows its own as {@code $here}. */
  String program(String name, String... lines) throws IOException {
    Path file = folder.resolve(name);
    String head = "#!/bin/sh\nhere='" + folder + "'\n";
    Files.writeString(file, head + String.join("\n", List.of(lines)) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file.toString();
  }
}
