package org.calando.core.store;

import java.util.List;

/**
 * A replicated store of files in which Calando owns one folder. Calando writes and removes only in
 * folders that it created and marked as its own. Files are written once, from their begin to their
 * end, and not changed after.
 *
 * <p>Paths are relative to the folder, with {@code /} between names, such as {@code old/part-3}.
 * Methods block, and throw {@link org.calando.core.CalandoException} with what, where and remedy: a
 * path that leaves the folder, or asks for what is not there, is a bad request. Thread safe; what
 * they return is used by one thread at a time.
 */
public interface FileStore extends AutoCloseable {
  /**
   * A file.
   *
   * @param path relative to the folder
   * @param bytes its length
   */
  record StoredFile(String path, long bytes) {}

  /**
   * What a file is to be like.
   *
   * @param replication copies of each block, 1 or more
   * @param blockBytes length of all its blocks but the last, a multiple of 512
   */
  record Shape(int replication, long blockBytes) {
    /** Checks the figures. */
    public Shape {
      if (replication < 1 || blockBytes < 512 || blockBytes % 512 != 0) {
        throw new IllegalArgumentException(replication + " copies of " + blockBytes + " bytes");
      }
    }
  }

  /** Writes a file. One that is not closed may be there in part, and is not complete. */
  interface Writer extends AutoCloseable {
    /** Appends bytes. */
    void write(byte[] bytes, int offset, int length);

    /** Returns when the store has what was written, so that readers see it. */
    void flush();

    /** Completes the file: when it returns, the store answers for all of it. Idempotent. */
    @Override
    void close();
  }

  /** Reads a file. What it reads has been compared with the store's checksums. */
  interface Reader extends AutoCloseable {
    /** Bytes that the file had when it was opened. */
    long length();

    /**
     * Reads at a place.
     *
     * @param position of the first byte to read
     * @return bytes read, as many as asked unless the file ends before; -1 at or behind its end
     */
    int read(long position, byte[] into, int offset, int length);

    @Override
    void close();
  }

  /**
   * Begins a file.
   *
   * @throws org.calando.core.BadRequestException if there is one of this path
   */
  Writer create(String path, Shape shape);

  /** Opens a file. */
  Reader open(String path);

  /** All files below a folder, by path; the folder of the store itself is the empty path. */
  List<StoredFile> list(String path);

  /**
   * Removes a file, or a folder and all in it.
   *
   * @return false if there was none
   */
  boolean delete(String path);

  @Override
  void close();
}
