package org.calando.store.hdfs.internal;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.calando.core.FailedWorkException;
import org.calando.core.store.FileStore;

/** Reads one file; Hadoop's client compares checksums. Used by one thread. */
public final class FileReader implements FileStore.Reader {
  private final FSDataInputStream in;
  private final long length;
  private final String path;

  /** Reads from a stream. */
  public FileReader(FSDataInputStream in, long length, String path) {
    this.in = in;
    this.length = length;
    this.path = path;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public int read(long position, byte[] into, int offset, int count) {
    int wanted = (int) Math.min(count, Math.max(0, length - position));
    if (wanted == 0) {
      return count == 0 ? 0 : -1;
    }
    try {
      in.readFully(position, into, offset, wanted);
      return wanted;
    } catch (IOException e) {
      throw new FailedWorkException(
          "it cannot be read at " + position + ": " + Failures.firstLine(e),
          path,
          "look whether the nodes that hold it are on",
          e);
    }
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      // nothing was to be written
    }
  }
}
