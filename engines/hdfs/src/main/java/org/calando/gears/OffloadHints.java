package org.calando.gears;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.calando.control.Patience;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.OffloadRecord;

/*
 * The placement policy knows a new block's path and place in the file but not its number, and what it chose is not always
 * where the block came to lie. So a record is a hint: it is of the block at that place of that path, if its replicas are
 * where it was put, or already at its homes, but for those that its file asks for beyond the layout's. Of several that fit
 * the newest is taken: a file may have been written anew.
 */
/**
 * Where off-loaded blocks were meant to be, by the log of the placement policy. Not thread safe.
 */
public final class OffloadHints {
  private static final long MAX_BYTES = 256L << 20;

  private final Map<String, List<OffloadRecord>> byPath = new HashMap<>();
  private final GearLayout layout;
  private final OffloadRecord.Log log;
  private final long bytes;

  OffloadHints(GearLayout layout, OffloadRecord.Log log, long bytes) {
    this.layout = layout;
    this.log = log;
    this.bytes = bytes;
    for (OffloadRecord record : log.records()) {
      byPath.computeIfAbsent(record.path(), path -> new ArrayList<>()).add(record);
    }
  }

  /**
   * Reads the log that a gear file names; none is as an empty one.
   *
   * @throws FailedWorkException if there is one that cannot be read
   */
  public static OffloadHints of(GearFile gears) {
    byte[] bytes = gears.log().map(OffloadHints::read).orElse(new byte[0]);
    // Not readString, which fails where bytes are damaged.
    return new OffloadHints(
        gears.layout(),
        OffloadRecord.read(new String(bytes, StandardCharsets.UTF_8)),
        bytes.length);
  }

  private static byte[] read(String name) {
    Path file = Path.of(name);
    try {
      if (size(file) > MAX_BYTES) {
        throw new FailedWorkException(
            "the off-load log has " + Files.size(file) + " bytes",
            name,
            "move it away: catch-up does without it");
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      return new byte[0];
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /**
   * Bytes of a log; 0 if there is none.
   *
   * @throws FailedWorkException if it cannot be told
   */
  static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static FailedWorkException unreadable(Path file, IOException e) {
    return new FailedWorkException(
        "the off-load log cannot be read: " + e.getMessage(),
        file.toString(),
        "let this user read it, or move it away: catch-up does without it",
        e);
  }

  /**
   * Puts the log aside once all that it told of is at home, so that it does not grow for ever; the
   * policy begins a new one. The one before is kept, for people. Lines that came after this was
   * read are in the new one.
   */
  void putAside(GearFile gears, Patience patience) throws InterruptedException {
    Path file = gears.log().map(Path::of).filter(Files::exists).orElse(null);
    if (file == null) {
      return;
    }
    Path aside = file.resolveSibling(file.getFileName() + ".1");
    try {
      Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
      LateRecords.carryOver(aside, bytes, file, patience);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the off-load log cannot be put aside: " + e.getMessage(),
          file.toString(),
          "allow this user to rename it, or remove it by hand: all blocks are at home",
          e);
    }
  }

  /** Of the log when it was read. */
  long bytes() {
    return bytes;
  }

  /** What the log holds. */
  public OffloadRecord.Log log() {
    return log;
  }

  /** Where a block was meant to be, if the log tells. */
  Optional<List<Integer>> homes(StoredBlock block) {
    List<OffloadRecord> records = byPath.getOrDefault(block.path(), List.of());
    for (int i = records.size() - 1; i >= 0; i--) {
      OffloadRecord record = records.get(i);
      if (record.index() == block.index() && fits(record, block, layout)) {
        return Optional.of(record.homes());
      }
    }
    return Optional.empty();
  }

  /**
   * On the nodes that were chosen, on its homes, or on the way from these to those. Of replicas
   * that its file asks for beyond the layout's, those that were not placed then may be anywhere.
   */
  static boolean fits(OffloadRecord record, StoredBlock block, GearLayout layout) {
    Set<Integer> known = block.nodes().tailSet(1, true);
    Set<Integer> strangers = new TreeSet<>(known);
    record.chosen().forEach(strangers::remove);
    record.homes().forEach(strangers::remove);
    int beyond = block.copies() - Math.max(layout.replicas(), record.chosen().size());
    return !block.nodes().isEmpty()
        && (strangers.isEmpty() || (strangers.size() <= beyond && strangers.size() < known.size()));
  }
}
