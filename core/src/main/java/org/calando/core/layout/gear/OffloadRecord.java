package org.calando.core.layout.gear;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * A line of the off-load log: a block that was not written to its homes. A hint for catch-up, which
 * finds the block by its path and the nodes chosen; what is so is what the store says. Immutable.
 *
 * @param seq its number, rising
 * @param timeMillis when it was written, of the wall clock, since 1970
 * @param path of the file
 * @param index the block's place in the file, from 0, as far as the NameNode that wrote it knew; -1
 *     if it is not told
 * @param homes where the block belongs
 * @param chosen the nodes that it was written to instead
 */
public record OffloadRecord(
    long seq, long timeMillis, String path, int index, List<Integer> homes, List<Integer> chosen) {
  /**
   * The most bytes that a log grows to: some 300,000 records, which the memory of a NameNode holds.
   */
  public static final long MAX_LOG_BYTES = 32L << 20;

  private static final String VERSION = "1";
  private static final int FIELDS = 8;

  /** Copies the lists. */
  public OffloadRecord {
    homes = List.copyOf(homes);
    chosen = List.copyOf(chosen);
  }

  /**
   * The line, without its end: version, number, time, path, index, homes, nodes chosen and the
   * CRC32C of all before it in hexadecimal, divided by tabs. Tabs, ends of lines and backslashes of
   * the path have a backslash before their usual letter.
   */
  public String line() {
    String fields =
        String.join(
            "\t",
            VERSION,
            String.valueOf(seq),
            String.valueOf(timeMillis),
            escaped(path),
            String.valueOf(index),
            numbers(homes),
            numbers(chosen));
    return fields + '\t' + sum(fields);
  }

  /** Reads a line; empty if it is torn, damaged or none. */
  public static Optional<OffloadRecord> parse(String line) {
    int end = line.lastIndexOf('\t');
    if (end < 0 || !sum(line.substring(0, end)).equals(line.substring(end + 1))) {
      return Optional.empty();
    }
    String[] fields = line.split("\t", -1);
    if (fields.length != FIELDS || !fields[0].equals(VERSION)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new OffloadRecord(
              Long.parseLong(fields[1]),
              Long.parseLong(fields[2]),
              plain(fields[3]),
              Integer.parseInt(fields[4]),
              list(fields[5]),
              list(fields[6])));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * What a log holds.
   *
   * @param records that are whole, in their order
   * @param damaged lines that are not
   * @param isTorn whether the last line has no end, as after a crash
   */
  public record Log(List<OffloadRecord> records, int damaged, boolean isTorn) {
    /** Copies the list. */
    public Log {
      records = List.copyOf(records);
    }
  }

  /** Reads all that is whole of a log's text. */
  public static Log read(String text) {
    List<OffloadRecord> records = new ArrayList<>();
    int damaged = 0;
    for (String line : text.split("\n", -1)) {
      if (!line.isEmpty()) {
        Optional<OffloadRecord> record = parse(line);
        record.ifPresent(records::add);
        damaged += record.isPresent() ? 0 : 1;
      }
    }
    return new Log(records, damaged, !text.isEmpty() && !text.endsWith("\n"));
  }

  private static String sum(String fields) {
    CRC32C crc = new CRC32C();
    crc.update(fields.getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }

  private static String numbers(List<Integer> nodes) {
    return nodes.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static List<Integer> list(String text) {
    List<Integer> nodes = new ArrayList<>();
    for (String number : text.split(",", -1)) {
      if (!number.isEmpty()) {
        nodes.add(Integer.valueOf(number));
      }
    }
    return nodes;
  }

  private static String escaped(String path) {
    return path.replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  private static String plain(String path) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      char letter = path.charAt(i);
      if (letter == '\\' && i + 1 < path.length()) {
        i++;
        letter =
            switch (path.charAt(i)) {
              case 't' -> '\t';
              case 'n' -> '\n';
              case 'r' -> '\r';
              default -> path.charAt(i);
            };
      }
      plain.append(letter);
    }
    return plain.toString();
  }
}
