package org.calando.power.internal;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What a process had its disks read and write, from {@code /proc/PID/io} (see proc(5)): bytes that
 * reached the block layer, without what the page cache answered. -1 where this user may not read
 * it, or the kernel does not count it.
 *
 * @param readBytes read for the process
 * @param writtenBytes caused by the process to be written, now or later
 */
public record ProcIo(long readBytes, long writtenBytes) {
  private static final ProcIo UNKNOWN = new ProcIo(-1, -1);

  /** Reads a process; never fails. */
  public static ProcIo read(Path proc, long pid) {
    Path file = proc.resolve(Long.toString(pid)).resolve("io");
    // A stream, not a channel: an interrupt of the reading thread must not close it.
    try (FileInputStream in = new FileInputStream(file.toFile())) {
      return parse(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** Parses the file. */
  static ProcIo parse(String text) {
    return new ProcIo(field(text, "read_bytes: "), field(text, "write_bytes: "));
  }

  private static long field(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip())
        .filter(value -> value.matches("\\d{1,18}"))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(-1);
  }
}
