package org.calando.load.file;

import java.util.Arrays;
import java.util.zip.CRC32C;
import org.calando.core.store.FileStore;

/**
 * A file with a checksum (CRC-32C) for each piece, so that any piece that is read can be judged.
 * Immutable.
 */
public final class KnownFile {
  private final String path;
  private final long bytes;
  private final int pieceBytes;
  private final int[] sums;

  private KnownFile(String path, long bytes, int pieceBytes, int[] sums) {
    this.path = path;
    this.bytes = bytes;
    this.pieceBytes = pieceBytes;
    this.sums = sums;
  }

  /** Where it is in its store. */
  public String path() {
    return path;
  }

  /** Its length. */
  public long bytes() {
    return bytes;
  }

  /** The length of all its pieces but the last. */
  public int pieceBytes() {
    return pieceBytes;
  }

  /** How many pieces it has; none if it is empty. */
  public int pieces() {
    return sums.length;
  }

  /** The length of a piece. */
  int length(int piece) {
    return (int) Math.min(pieceBytes, bytes - (long) piece * pieceBytes);
  }

  /** Whether these are the bytes of a piece. */
  boolean isPiece(int piece, byte[] content, int length) {
    return length == length(piece) && sum(content, length) == sums[piece];
  }

  private static int sum(byte[] content, int length) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, length);
    return (int) crc.getValue();
  }

  /**
   * Writes a file and takes its checksums meanwhile.
   *
   * @param pieceBytes of each piece, 1 or more
   */
  public static KnownFile write(
      FileStore store,
      String path,
      FileStore.Shape shape,
      FileContent.Source content,
      int pieceBytes) {
    Summing summing = new Summing(path, pieceBytes);
    byte[] piece = new byte[pieceBytes];
    try (FileStore.Writer writer = store.create(path, shape)) {
      for (int length = content.next(piece); length > 0; length = content.next(piece)) {
        summing.add(piece, length);
        writer.write(piece, 0, length);
      }
    }
    return summing.file();
  }

  /** Takes the checksums of a file as it grows piece by piece. Not thread safe. */
  static final class Summing {
    private final String path;
    private final int pieceBytes;
    private int[] sums = new int[16];
    private int pieces;
    private long bytes;

    Summing(String path, int pieceBytes) {
      this.path = path;
      this.pieceBytes = pieceBytes;
    }

    /** Adds a piece; only the last may be short. */
    void add(byte[] piece, int length) {
      if (bytes % pieceBytes != 0) {
        throw new IllegalStateException("a piece after the last, at " + bytes);
      }
      if (pieces == sums.length) {
        sums = Arrays.copyOf(sums, 2 * pieces);
      }
      sums[pieces++] = sum(piece, length);
      bytes += length;
    }

    KnownFile file() {
      return new KnownFile(path, bytes, pieceBytes, Arrays.copyOf(sums, pieces));
    }
  }
}
