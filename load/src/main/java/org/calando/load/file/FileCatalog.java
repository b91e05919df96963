package org.calando.load.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.core.BadRequestException;

/** The files that a load can read. Grows only. Thread safe. */
public final class FileCatalog {
  private final TreeMap<Long, KnownFile> byFirstPiece = new TreeMap<>();
  private long pieces;

  /** A piece of a file, from 0. */
  record Piece(KnownFile file, int number) {}

  /** Adds a file; one that is empty is passed over. */
  public synchronized void add(KnownFile file) {
    if (file.pieces() > 0) {
      byFirstPiece.put(pieces, file);
      pieces += file.pieces();
    }
  }

  /** All files, in the order in which they came. */
  public synchronized List<KnownFile> files() {
    return new ArrayList<>(byFirstPiece.values());
  }

  /** Pieces of all files. */
  public synchronized long pieces() {
    return pieces;
  }

  /**
   * A piece by its number among all.
   *
   * @param number 0 to {@link #pieces()} - 1
   */
  synchronized Piece piece(long number) {
    Map.Entry<Long, KnownFile> file = byFirstPiece.floorEntry(number);
    if (file == null || number >= pieces) {
      throw new BadRequestException("there is no file to read", "load", "write files first");
    }
    return new Piece(file.getValue(), (int) (number - file.getKey()));
  }
}
