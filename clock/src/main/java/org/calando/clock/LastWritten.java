package org.calando.clock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.control.file.LineChecksum;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/*
 * The journal says once, on the disk, how a clock was before the lease. What it is set to later
 * changes many times a second and has to be known only after the death of the process, not of the
 * machine, with which the clocks' settings end too: so it is written and never forced to the disk.
 */
/**
 * The clocks that were last written, beside a lease's journal: from them whoever restores knows
 * whether a clock is still as Calando left it. Thread safe.
 */
final class LastWritten implements AutoCloseable {
  /** Of a lease that has set no clock yet. */
  static final Content NOTHING = new Content("", Map.of());

  private static final String FORMAT = "calando-last-written ";
  private static final int HEADER = 128;
  private static final int RECORD = 42;

  private static final Pattern HEAD = Pattern.compile(FORMAT + "(2) boot=(.*?)( [0-9a-f]{8})");
  private static final Pattern CLOCKS = Pattern.compile("(\\d{1,12}) (\\d{1,12})( [0-9a-f]{8})");

  private final FileChannel channel;

  /**
   * Clocks of one policy.
   *
   * @param intendedKHz the clock that was about to be written
   * @param readKHz the clock that was read back last, 0 for none
   */
  record Clock(long intendedKHz, long readKHz) {}

  /** What a file holds: the machine's start, and clocks by the number of the plan. */
  record Content(String bootId, Map<Long, Clock> clocks) {
    Content {
      clocks = Map.copyOf(clocks);
    }

    Optional<Clock> of(long plan) {
      @Nullable Clock clock = clocks.get(plan);
      return Optional.ofNullable(clock);
    }
  }

  private LastWritten(FileChannel channel) {
    this.channel = channel;
  }

  /** Where it is, for a journal. */
  static Path beside(Path journal) {
    return journal.resolveSibling(journal.getFileName() + ".clocks");
  }

  /**
   * Makes an empty one.
   *
   * @throws FailedWorkException if it cannot be written
   */
  static LastWritten create(Path file, String bootId) {
    try {
      LastWritten written =
          new LastWritten(
              FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
      written.put(0, padded(checked(FORMAT + "2 boot=" + bootId, ""), HEADER));
      return written;
    } catch (IOException e) {
      throw cannot(file, e);
    }
  }

  /**
   * Notes clocks; before they are written, and again when they are read back.
   *
   * @param plan number of the policy's plan in the journal, from 1
   * @throws IOException if it cannot be written: then the clock must not be either
   */
  void put(long plan, Clock clock) throws IOException {
    put(
        HEADER + (plan - 1) * RECORD,
        padded(checked(clock.intendedKHz() + " " + clock.readKHz(), place(plan)), RECORD));
  }

  /** As {@link #put}, in a file whose owner has ended. */
  static void note(Path file, long plan, Clock clock) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      new LastWritten(channel).put(plan, clock);
    }
  }

  /** A text and its checksum, which that of another place is not. */
  private static String checked(String text, String place) {
    return text + " " + LineChecksum.of(place + text);
  }

  private static String place(long plan) {
    return plan + " ";
  }

  /**
   * Reads one; nothing if there is none, or its owner ended before anything was in it.
   *
   * @throws IOException if it cannot be read, or holds what no owner writes
   */
  static Optional<Content> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    String head = text.substring(0, Math.min(HEADER, text.length()));
    Matcher start = HEAD.matcher(head.stripTrailing());
    if (!start.matches() || head.length() < HEADER || !isWhole(start, "")) {
      throw damaged("its head", head);
    }
    return Optional.of(new Content(start.group(2), clocks(text)));
  }

  private static Map<Long, Clock> clocks(String text) throws IOException {
    Map<Long, Clock> clocks = new HashMap<>();
    for (int at = HEADER; at < text.length(); at += RECORD) {
      String record = text.substring(at, Math.min(at + RECORD, text.length()));
      long plan = (long) (at - HEADER) / RECORD + 1;
      Matcher figures = CLOCKS.matcher(record.stripTrailing());
      if (figures.matches() && record.length() == RECORD && isWhole(figures, place(plan))) {
        clocks.put(
            plan, new Clock(Long.parseLong(figures.group(1)), Long.parseLong(figures.group(2))));
      } else if (!record.trim().isEmpty()) {
        // Plans of threads have none: a hole, which reads as zero bytes.
        throw damaged("its record " + plan, record);
      }
    }
    return clocks;
  }

  /** Whether a text has the checksum that it is to have, as its last group. */
  private static boolean isWhole(Matcher text, String place) {
    return text.group().equals(checked(text.group().substring(0, text.start(3)), place));
  }

  private static IOException damaged(String part, String text) {
    return new IOException(
        part
            + " is '"
            + text.trim().replaceAll("[^ -~]", "?")
            + "', which no lease writes: the file is damaged");
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new FailedWorkException("cannot be closed: " + e.getMessage(), "last written", "", e);
    }
  }

  private void put(long position, byte[] record) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(record);
    while (bytes.hasRemaining()) {
      channel.write(bytes, position + bytes.position());
    }
  }

  private static byte[] padded(String text, int length) {
    String line = text + " ".repeat(Math.max(0, length - 1 - text.length())) + "\n";
    return line.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static FailedWorkException cannot(Path file, IOException e) {
    return new FailedWorkException(
        "cannot be written: " + e.getMessage(),
        file.toString(),
        "check that the folder exists, has room and may be written",
        e);
  }
}
