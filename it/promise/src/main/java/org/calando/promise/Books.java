package org.calando.promise;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What one process has written, read and seen of the level in use: a file each in a folder that
 * processes share, with a line an entry. Thread safe.
 */
final class Books implements AutoCloseable {
  private static final String WRITES = ".writes.csv";
  private static final String READS = ".reads.csv";
  private static final String LEVELS = ".levels.csv";

  private final BufferedWriter writes;
  private final BufferedWriter reads;
  private final BufferedWriter levels;

  private Books(BufferedWriter writes, BufferedWriter reads, BufferedWriter levels) {
    this.writes = writes;
    this.reads = reads;
    this.levels = levels;
  }

  /** Opens those of a process. */
  static Books open(Path folder, String process) throws IOException {
    return new Books(
        Files.newBufferedWriter(folder.resolve(process + WRITES)),
        Files.newBufferedWriter(folder.resolve(process + READS)),
        Files.newBufferedWriter(folder.resolve(process + LEVELS)));
  }

  void add(WriteEntry entry) {
    line(writes, entry.line());
  }

  void add(ReadEntry entry) {
    line(reads, entry.line());
  }

  void add(LevelEntry entry) {
    line(levels, entry.line());
  }

  private static void line(BufferedWriter out, String line) {
    synchronized (out) {
      try {
        out.write(line + "\n");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (BufferedWriter out : List.of(writes, reads, levels)) {
      synchronized (out) {
        out.close();
      }
    }
  }

  /** All writes of all processes of a folder. */
  static List<WriteEntry> writes(Path folder) throws IOException {
    return all(folder, WRITES, WriteEntry::parse);
  }

  /** All reads of all processes of a folder. */
  static List<ReadEntry> reads(Path folder) throws IOException {
    return all(folder, READS, ReadEntry::parse);
  }

  private static <T> List<T> all(Path folder, String suffix, Function<String, T> parse)
      throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(folder)) {
      files = found.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
    List<T> entries = new ArrayList<>();
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        entries.add(parse.apply(line));
      }
    }
    return entries;
  }
}
