package org.calando.governor.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/*
 *   FOLDER/history-2026-11-27.csv    a line a minute of a day in UTC, appended; eight days are kept
 *
 * A line that was cut off by an end of the process, or of the disk, is left out when it is read. What cannot be written stays
 * in memory: time lines are no reason to stop governing.
 */
/** How a cluster stood, minute by minute, over restarts of the governor. Thread safe. */
public final class History {
  /** From one sample to the next. */
  public static final Duration STEP = Duration.ofMinutes(1);

  private static final int MOST_DAYS = 8;
  private static final int MOST_IN_MEMORY = 24 * 60;
  private static final long MOST_BYTES = 4 << 20;
  private static final String BEGIN = "history-";
  private static final String END = ".csv";

  private final Path folder;
  private final Deque<Sample> last = new ArrayDeque<>();
  private Optional<String> problem = Optional.empty();

  /** Resumes what a folder holds; it need not exist. */
  public History(Path folder, Instant now) {
    this.folder = folder;
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    Stream.of(today.minusDays(1), today)
        .flatMap(day -> read(day).stream())
        .filter(sample -> !sample.at().isAfter(now))
        .forEach(this::remember);
  }

  /** Takes a sample, which is the newest. */
  public synchronized void add(Sample sample) {
    remember(sample);
    LocalDate day = LocalDate.ofInstant(sample.at(), ZoneOffset.UTC);
    try {
      Files.createDirectories(folder);
      Path file = file(day);
      boolean fresh = !Files.exists(file);
      if (fresh || Files.size(file) < MOST_BYTES) {
        // A line that was cut off before ends here.
        Files.writeString(
            file,
            (fresh || endsLine(file) ? "" : "\n") + sample.line() + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      }
      if (fresh) {
        removeBefore(day.minusDays(MOST_DAYS - 1L));
      }
      problem = Optional.empty();
    } catch (IOException | UncheckedIOException e) {
      problem = Optional.of("time lines cannot be written: " + e.getMessage());
    }
  }

  /** Why samples are not written; empty if they are. */
  public synchronized Optional<String> problem() {
    return problem;
  }

  /** Samples of the last day, the newest last. */
  public synchronized List<Sample> recent() {
    return new ArrayList<>(last);
  }

  /** Samples of so much time, the oldest first; none of what is not kept any more. */
  public synchronized List<Sample> between(Instant from, Instant to) {
    List<Sample> all = new ArrayList<>();
    LocalDate end = LocalDate.ofInstant(to, ZoneOffset.UTC);
    for (LocalDate day = LocalDate.ofInstant(from, ZoneOffset.UTC);
        !day.isAfter(end);
        day = day.plusDays(1)) {
      read(day).stream()
          .filter(each -> !each.at().isBefore(from) && each.at().isBefore(to))
          .forEach(all::add);
    }
    return all;
  }

  private void remember(Sample sample) {
    last.addLast(sample);
    if (last.size() > MOST_IN_MEMORY) {
      last.removeFirst();
    }
  }

  private Path file(LocalDate day) {
    return folder.resolve(BEGIN + day + END);
  }

  private List<Sample> read(LocalDate day) {
    Path file = file(day);
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > 2 * MOST_BYTES) {
        return List.of();
      }
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
          .lines()
          .flatMap(line -> Sample.of(line).stream())
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static boolean endsLine(Path file) throws IOException {
    try (var channel = Files.newByteChannel(file)) {
      if (channel.size() == 0) {
        return true;
      }
      channel.position(channel.size() - 1);
      java.nio.ByteBuffer one = java.nio.ByteBuffer.allocate(1);
      return channel.read(one) == 1 && one.get(0) == '\n';
    }
  }

  private void removeBefore(LocalDate day) throws IOException {
    List<Path> old;
    try (Stream<Path> files = Files.list(folder)) {
      old =
          files
              .filter(file -> file.getFileName().toString().startsWith(BEGIN))
              .filter(file -> file.getFileName().compareTo(file(day).getFileName()) < 0)
              .toList();
    }
    for (Path file : old) {
      Files.deleteIfExists(file);
    }
  }
}
