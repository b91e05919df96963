package org.calando.store.hdfs.internal;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.calando.core.FailedWorkException;
import org.calando.core.store.FileStore;

/** Writes one file. Used by one thread. */
public final class FileWriter implements FileStore.Writer {
  private final FSDataOutputStream out;
  private final String path;
  private boolean closed;

  /** Writes to a stream. */
  public FileWriter(FSDataOutputStream out, String path) {
    this.out = out;
    this.path = path;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void flush() {
    try {
      out.hflush();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      out.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private FailedWorkException failed(IOException e) {
    return new FailedWorkException(
        "the file is not written: " + Failures.firstLine(e),
        path,
        "look whether nodes are live and have space; remove what is there of the file",
        e);
  }
}
