package org.calando.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.calando.control.file.ExclusiveFile;
import org.calando.control.file.LineChecksum;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/*
 * A line of JSON an entry, each with its checksum; the first line has the format and its version. A line counts once its
 * end of line is there: what a kill left of a last line is cut off when the journal is opened again, and an entry is on
 * the disk before append returns, so that nothing is done that it does not have.
 *
 * A lease that is open for months plans without end, and of plans that have ended nothing is to be done. So a journal that
 * has grown is compacted: written anew with what counts of open plans alone, and put in its own place in one step. That is
 * the first entry, which steps are begun, and the last one: a step that cannot be taken back while its node is away fails
 * again and again. The end of the plan of the highest number stays, so that no number is given twice.
 */
/**
 * What was done to knobs, on disk before it was done: from it a later process knows what to finish
 * or take back. One process at a time writes a journal. Thread safe.
 */
public final class Journal implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FORMAT = "calando-journal";
  private static final int VERSION = 2;

  /**
   * A journal is that of some knobs; one of this size is not ours, or somebody forgot to end it.
   */
  private static final long MAX_BYTES = 64L << 20;

  /** From this size on a journal is compacted, or from twice what the last time has left. */
  private static final long COMPACT_BYTES = 1L << 20;

  /** The same of one in memory, in entries. */
  private static final int COMPACT_ENTRIES = 1000;

  /** Whoever restores looks into a journal for a moment. */
  private static final int OPEN_ATTEMPTS = 100;

  private static final long OPEN_PAUSE_NANOS = 10_000_000;

  private final Path file;

  /** None of plans that end with this process. */
  private final @Nullable ExclusiveFile exclusive;

  private final List<JournalEntry> entries;
  private final long leastBytes;
  private long compactBytes;

  /** Of whole lines: a disk that was full may have left a part of another behind them. */
  private long wholeBytes;

  private Journal(
      Path file, @Nullable ExclusiveFile exclusive, List<JournalEntry> entries, long compactBytes) {
    this.file = file;
    this.exclusive = exclusive;
    this.entries = entries;
    this.leastBytes = compactBytes;
    this.compactBytes = compactBytes;
  }

  /**
   * A journal of plans that end with this process: it has those that are open, and is nowhere but
   * in memory. Levels of reads have their journal in decisions.csv, and nothing outlives a kill.
   */
  static Journal inMemory() {
    return new Journal(Path.of(""), null, new ArrayList<>(), COMPACT_BYTES);
  }

  /** As {@link #open}, which is tried again for a second. */
  static Journal openSoon(Path file) {
    for (int i = 0; i < OPEN_ATTEMPTS; i++) {
      Optional<Journal> journal = openIfFree(file);
      if (journal.isPresent()) {
        return journal.get();
      }
      LockSupport.parkNanos(OPEN_PAUSE_NANOS);
    }
    return open(file);
  }

  /**
   * Opens a journal, made if it is not there, for this process alone.
   *
   * @throws FailedWorkException if it cannot be read or written, is no journal, has a newer format,
   *     or another process has it open
   */
  public static Journal open(Path file) {
    return openIfFree(file)
        .orElseThrow(
            () ->
                new FailedWorkException(
                    "another process has the journal open",
                    file.toString(),
                    "end that process, or wait for its end"));
  }

  /**
   * Opens a journal, made if it is not there, for this process alone.
   *
   * @return nothing if another process, or another user in this one, has it open
   * @throws FailedWorkException if it cannot be read or written, is no journal, or has a newer
   *     format
   */
  public static Optional<Journal> openIfFree(Path file) {
    return openIfFree(file, COMPACT_BYTES);
  }

  /** The same, compacted from a size on. */
  static Optional<Journal> openIfFree(Path file, long compactBytes) {
    try {
      Optional<ExclusiveFile> exclusive = ExclusiveFile.open(file);
      if (exclusive.isEmpty()) {
        return Optional.empty();
      }
      try {
        return Optional.of(open(file, exclusive.get(), compactBytes));
      } catch (Throwable e) {
        exclusive.get().close();
        throw e;
      }
    } catch (IOException e) {
      throw cannot("opened", file, e);
    }
  }

  /**
   * The last entry of each plan of a journal that is not ended, as {@link #open()} tells them; the
   * file is only read, whoever has it open.
   *
   * @throws FailedWorkException if it cannot be read, is no journal or has a newer format
   */
  public static List<JournalEntry> openPlans(Path file) {
    return unfinished(peek(file));
  }

  /** Names of the steps of such plans that were begun and not taken back. */
  static Set<String> begun(Path file) {
    List<JournalEntry> entries = peek(file);
    Set<String> begun = new LinkedHashSet<>();
    unfinished(entries).forEach(last -> begun.addAll(begins(entries, last.plan()).keySet()));
    return begun;
  }

  private static List<JournalEntry> peek(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw tooLarge(file, Files.size(file));
      }
      return entries(file, ExclusiveFile.peek(file));
    } catch (IOException e) {
      throw cannot("read", file, e);
    }
  }

  static Journal open(Path file, ExclusiveFile exclusive, long compactBytes) throws IOException {
    exclusive.removeUnfinished();
    FileChannel channel = exclusive.channel();
    if (channel.size() > MAX_BYTES) {
      throw tooLarge(file, channel.size());
    }
    String text = exclusive.text();
    int whole = text.lastIndexOf('\n') + 1;
    List<JournalEntry> entries = entries(file, text);
    Journal journal = new Journal(file, exclusive, entries, compactBytes);
    journal.wholeBytes = text.substring(0, whole).getBytes(StandardCharsets.UTF_8).length;
    channel.position(channel.truncate(journal.wholeBytes).size());
    if (whole == 0) {
      journal.write(exclusive, line(header()));
    }
    return journal;
  }

  /** All entries, oldest first. */
  public synchronized List<JournalEntry> entries() {
    return List.copyOf(entries);
  }

  /** The last entry of each plan that is neither durably in force nor wholly taken back. */
  public synchronized List<JournalEntry> open() {
    return unfinished(entries);
  }

  private static List<JournalEntry> unfinished(List<JournalEntry> entries) {
    Map<Long, JournalEntry> last = new LinkedHashMap<>();
    entries.forEach(entry -> last.put(entry.plan(), entry));
    return last.values().stream().filter(entry -> !entry.endsPlan()).toList();
  }

  /** The names of a plan's steps that were begun and not taken back, in that order. */
  synchronized List<String> begun(long plan) {
    return List.copyOf(begins(entries, plan).keySet());
  }

  private static Map<String, JournalEntry> begins(List<JournalEntry> entries, long plan) {
    Map<String, JournalEntry> begins = new LinkedHashMap<>();
    for (JournalEntry entry : entries) {
      boolean begun = entry.event() == JournalEntry.Event.BEGUN;
      if (entry.plan() == plan && (begun || entry.event() == JournalEntry.Event.UNDONE)) {
        begins.remove(entry.step());
      }
      if (entry.plan() == plan && begun) {
        begins.put(entry.step(), entry);
      }
    }
    return begins;
  }

  /** A number that no plan in it has. */
  synchronized long nextPlan() {
    return entries.stream().mapToLong(JournalEntry::plan).max().orElse(0) + 1;
  }

  /**
   * Adds an entry, and returns when it is on the disk.
   *
   * @throws FailedWorkException if it cannot be written: then what it tells must not be done
   */
  public synchronized void append(JournalEntry entry) {
    try {
      if (exclusive != null) {
        write(exclusive, line(entry.toJson()));
      }
      entries.add(entry);
    } catch (IOException e) {
      throw cannot("written", file, e);
    }
    if (exclusive != null) {
      compactIfLarge(exclusive);
    } else if (entry.endsPlan()) {
      entries.removeIf(one -> one.plan() == entry.plan());
    } else if (entries.size() % COMPACT_ENTRIES == 0) {
      List<JournalEntry> kept = compacted();
      entries.clear();
      entries.addAll(kept);
    }
  }

  /** What cannot be written anew stays as it is, and is tried again when it is twice as large. */
  private void compactIfLarge(ExclusiveFile held) {
    try {
      if (held.channel().size() >= compactBytes) {
        compactBytes = 2 * held.channel().size();
        List<JournalEntry> kept = compacted();
        StringBuilder text = new StringBuilder(line(header()));
        kept.forEach(entry -> text.append(line(entry.toJson())));
        held.replace(text.toString().getBytes(StandardCharsets.UTF_8));
        wholeBytes = held.channel().size();
        entries.clear();
        entries.addAll(kept);
        compactBytes = Math.max(leastBytes, 2 * wholeBytes);
      }
    } catch (IOException e) {
      // What it tells is whole: the entry was written before. The new one may be in its place.
      wholeBytes = held.sizeOr(wholeBytes);
    }
  }

  private List<JournalEntry> compacted() {
    Map<Long, JournalEntry> first = new HashMap<>();
    Map<Long, JournalEntry> last = new LinkedHashMap<>();
    entries.forEach(entry -> first.putIfAbsent(entry.plan(), entry));
    entries.forEach(entry -> last.put(entry.plan(), entry));
    long highest = nextPlan() - 1;
    Set<JournalEntry> kept = new LinkedHashSet<>();
    for (JournalEntry end : last.values()) {
      if (!end.endsPlan()) {
        kept.add(Objects.requireNonNull(first.get(end.plan())));
        kept.addAll(begins(entries, end.plan()).values());
      }
      if (!end.endsPlan() || end.plan() == highest) {
        kept.add(end);
      }
    }
    return List.copyOf(kept);
  }

  @Override
  public synchronized void close() {
    try {
      if (exclusive != null) {
        exclusive.close();
      }
    } catch (IOException e) {
      throw cannot("closed", file, e);
    }
  }

  private static JsonNode header() {
    return JSON.createObjectNode().put("format", FORMAT).put("version", VERSION);
  }

  private static String line(JsonNode node) {
    return LineChecksum.add(node.toString()) + "\n";
  }

  private void write(ExclusiveFile exclusive, String line) throws IOException {
    FileChannel channel = exclusive.channel().truncate(wholeBytes);
    ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.force(true);
    wholeBytes = channel.size();
  }

  /** Those of whole lines. */
  private static List<JournalEntry> entries(Path file, String text) {
    List<JournalEntry> entries = new ArrayList<>();
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length - 1; i++) {
      try {
        LineChecksum.require(lines[i]);
        JsonNode node = JSON.readTree(lines[i]);
        if (i == 0) {
          requireFormat(file, node);
        } else {
          entries.add(JournalEntry.fromJson(node));
        }
      } catch (JsonProcessingException e) {
        throw damaged(file, i, e.getOriginalMessage(), lines[i]);
      } catch (IllegalArgumentException e) {
        throw damaged(file, i, e.getMessage(), lines[i]);
      }
    }
    String torn = lines[lines.length - 1];
    if (!torn.isEmpty() && LineChecksum.isWhole(torn.substring(0, torn.length() - 1))) {
      throw damaged(file, lines.length - 1, "its end of line is another character", torn);
    }
    return entries;
  }

  private static FailedWorkException damaged(
      Path file, int index, @Nullable String why, String line) {
    return new FailedWorkException(
        "is no entry of a journal, " + why + ": " + line,
        file + ", line " + (index + 1),
        "restore the journal, or move it away once you have set the knobs by hand");
  }

  private static FailedWorkException tooLarge(Path file, long bytes) {
    return new FailedWorkException(
        "the journal has " + bytes + " bytes", file.toString(), "move it away");
  }

  private static void requireFormat(Path file, JsonNode first) {
    if (!first.path("format").asText().equals(FORMAT) || first.path("version").asInt() != VERSION) {
      throw new FailedWorkException(
          "is not a journal of version " + VERSION + ": " + first,
          file + ", line 1",
          "use the version of Calando that wrote it, or another file");
    }
  }

  private static FailedWorkException cannot(String what, Path file, IOException e) {
    return new FailedWorkException(
        "cannot be " + what + ": " + e.getMessage(),
        file.toString(),
        "check that the folder exists, has room and may be written",
        e);
  }
}
