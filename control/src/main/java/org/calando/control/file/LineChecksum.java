package org.calando.control.file;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The checksum that a line of JSON carries as its last field, so that a damaged line is not taken
 * for what was written: CRC32C of the line without that field. Stateless.
 */
public final class LineChecksum {
  private static final Pattern LINE =
      Pattern.compile("(.*),\"crc\":\"([0-9a-f]{8})\"\\}", Pattern.DOTALL);

  private LineChecksum() {}

  /**
   * A line with its checksum.
   *
   * @param json an object with a field at least
   */
  public static String add(String json) {
    return json.substring(0, json.length() - 1) + ",\"crc\":\"" + of(json) + "\"}";
  }

  /**
   * Refuses a line that is not as it was written.
   *
   * @throws IllegalArgumentException if it carries no checksum; or with both checksums, if it was
   *     changed since
   */
  public static void require(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new IllegalArgumentException("it has no checksum");
    }
    String found = of(parts.group(1) + "}");
    if (!found.equals(parts.group(2))) {
      throw new IllegalArgumentException(
          "its checksum is " + parts.group(2) + " and that of its text is " + found);
    }
  }

  /** Whether a line carries the checksum of what it says. */
  public static boolean isWhole(String line) {
    try {
      require(line);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The checksum of a text, in eight hexadecimal digits. */
  public static String of(String text) {
    CRC32C sum = new CRC32C();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) sum.getValue());
  }
}
