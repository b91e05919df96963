package org.calando.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.calando.core.BadRequestException;

/** Files of secrets, which others than their owner and group must not read. Stateless. */
public final class SecretFile {
  private static final Set<PosixFilePermission> TOO_MUCH =
      EnumSet.of(
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private SecretFile() {}

  /**
   * Reads one.
   *
   * @throws BadRequestException if it cannot be read, or others may read or write it
   */
  static String read(Path file) {
    try {
      if (othersMayUse(file)) {
        throw new BadRequestException(
            "can be read or written by others", file.toString(), "chmod 600 " + file);
      }
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw unreadable(file);
    }
  }

  /**
   * The first line of one, without blanks around it.
   *
   * @param what it is to hold, as {@code an address}
   * @throws BadRequestException as {@link #read}, or if that line is empty
   */
  public static String firstLine(Path file, String what) {
    return read(file)
        .lines()
        .findFirst()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .orElseThrow(
            () ->
                new BadRequestException(
                    "has an empty first line", file.toString(), "write " + what + " into it"));
  }

  static BadRequestException unreadable(Path file) {
    return new BadRequestException(
        "cannot be read", file.toString(), "give a text file that exists and that you may read");
  }

  private static boolean othersMayUse(Path file) throws IOException {
    try {
      return Files.getPosixFilePermissions(file).stream().anyMatch(TOO_MUCH::contains);
    } catch (UnsupportedOperationException e) {
      return false; // a file system without such permissions
    }
  }
}
