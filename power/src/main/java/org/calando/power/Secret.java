package org.calando.power;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a password is kept: a file or a variable of the environment. It is read when it is needed
 * and never held, logged or shown. Immutable and thread safe.
 */
public sealed interface Secret {
  /**
   * The password.
   *
   * @throws MeterException if it is not there or empty
   */
  String read() throws MeterException;

  /**
   * The first line of a file.
   *
   * @param file the file
   */
  record InFile(Path file) implements Secret {
    private static final long MAX_BYTES = 4096;

    @Override
    public String read() throws MeterException {
      try {
        if (Files.size(file) > MAX_BYTES) {
          throw problem("is too large for a password", "write the password into its first line");
        }
        String text = Files.readString(file, StandardCharsets.UTF_8);
        String line = text.lines().findFirst().orElse("");
        if (line.isEmpty()) {
          throw problem("has no password in its first line", "write the password there");
        }
        return line;
      } catch (IOException e) {
        // Not the cause: decoding errors may show what the file holds.
        throw problem("cannot be read", "correct the path, or let this user read it");
      }
    }

    private MeterException problem(String what, String remedy) {
      return new MeterException("the password file " + what, file.toString(), remedy);
    }
  }

  /**
   * A variable of the environment.
   *
   * @param name its name
   */
  record InVariable(String name) implements Secret {
    @Override
    public String read() throws MeterException {
      String value = System.getenv(name);
      if (value == null || value.isEmpty()) {
        throw new MeterException(
            "the variable with the password is not set", "variable " + name, "export " + name);
      }
      return value;
    }
  }
}
