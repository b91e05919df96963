package org.calando.hdfs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.calando.core.layout.gear.OffloadRecord;
import org.jspecify.annotations.Nullable;

/*
 * The log grows while the NameNode asks: what is new of it is read at most every second, and all of it when it is another file,
 * as after it was put aside or written anew. Of a record is kept a number for each set of nodes that may be left of those that
 * the block was written to, with the last of these nodes: so that a log of the greatest length takes some tens of megabytes of
 * the NameNode's memory, and no more.
 */
/**
 * Tells by the off-load log whether a block was written to nodes that are on only. It is needed
 * after a restart in a low gear. Not thread safe.
 */
final class OffloadHints {
  private static final long INTERVAL_NANOS = 1_000_000_000L;
  private static final int PIECE_BYTES = 1 << 20;

  /** A block of more replicas is not told of: it has too many sets of nodes. */
  private static final int MOST_NODES = 5;

  private final LongSupplier nanos;
  private final LowestValues lastNode = new LowestValues();
  private @Nullable Path log;
  private @Nullable Object key;
  private long position;
  private long lookedAtNanos;
  private boolean hasLooked;

  /**
   * Hints by a clock.
   *
   * @param nanos that only rises
   */
  OffloadHints(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Whether some block of a file was off-loaded to nodes that are all of these that hold it and
   * others that are on.
   *
   * @param on the first so many nodes are on
   */
  boolean isOffloaded(Optional<String> file, String path, Collection<Integer> held, int on) {
    file.map(Path::of).ifPresent(this::look);
    return lastNode.get(number(path, new TreeSet<>(held))) <= on;
  }

  private void look(Path file) {
    long now = nanos.getAsLong();
    if (hasLooked && now - lookedAtNanos < INTERVAL_NANOS && file.equals(log)) {
      return;
    }
    hasLooked = true;
    lookedAtNanos = now;
    try {
      Object ino = Files.readAttributes(file, "unix:ino").get("ino");
      if (!file.equals(log) || !Objects.equals(ino, key) || Files.size(file) < position) {
        lastNode.clear();
        position = 0;
        log = file;
        key = ino;
      }
      readOn(file);
    } catch (IOException e) {
      // No log, no hints: replicas on nodes that are off are waited for.
      lastNode.clear();
      position = 0;
      log = null;
    }
  }

  /** All lines that have an end; what is behind the last one is read the next time. */
  private void readOn(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (position < Math.min(channel.size(), OffloadRecord.MAX_LOG_BYTES)) {
        channel.position(position);
        InputStream in = Channels.newInputStream(channel);
        byte[] piece = in.readNBytes(PIECE_BYTES);
        int end = piece.length;
        while (end > 0 && piece[end - 1] != '\n') {
          end--;
        }
        if (end == 0) {
          // A line that is longer than a piece is none.
          position += piece.length == PIECE_BYTES ? PIECE_BYTES : 0;
          return;
        }
        for (String line : new String(piece, 0, end, StandardCharsets.UTF_8).split("\n", -1)) {
          OffloadRecord.parse(line).ifPresent(this::add);
        }
        position += end;
      }
    }
  }

  private void add(OffloadRecord record) {
    TreeSet<Integer> chosen = new TreeSet<>(record.chosen());
    if (chosen.isEmpty() || chosen.size() > MOST_NODES) {
      return;
    }
    Integer[] nodes = chosen.toArray(Integer[]::new);
    for (int set = 1; set < (1 << nodes.length); set++) {
      TreeSet<Integer> left = new TreeSet<>();
      for (int i = 0; i < nodes.length; i++) {
        if ((set & (1 << i)) != 0) {
          left.add(nodes[i]);
        }
      }
      lastNode.put(number(record.path(), left), chosen.last());
    }
  }

  /** 64 bits of a path and some nodes; two that come to the same cost a copy too many. */
  private static long number(String path, SortedSet<Integer> nodes) {
    long number = 0xcbf29ce484222325L;
    for (int i = 0; i < path.length(); i++) {
      number = (number ^ path.charAt(i)) * 0x100000001b3L;
    }
    for (int node : nodes) {
      number = (number ^ (0x10000L + node)) * 0x9e3779b97f4a7c15L;
    }
    return number ^ (number >>> 32);
  }
}
