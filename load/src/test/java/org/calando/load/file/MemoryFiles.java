package org.calando.load.file;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.FileStore;

/** Files in memory; can be told to refuse. Thread safe. */
final class MemoryFiles implements FileStore {
  final Map<String, byte[]> files = new ConcurrentHashMap<>();
  volatile boolean refuses;
  volatile int tries;

  @Override
  public synchronized Writer create(String path, Shape shape) {
    ask(path);
    if (files.containsKey(path)) {
      throw new BadRequestException("there is such a file", path, "");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    return new Writer() {
      @Override
      public void write(byte[] content, int offset, int length) {
        ask(path);
        bytes.write(content, offset, length);
      }

      @Override
      public void flush() {
        // all is there
      }

      @Override
      public void close() {
        files.put(path, bytes.toByteArray());
      }
    };
  }

  @Override
  public Reader open(String path) {
    ask(path);
    byte[] content = files.get(path);
    return new Reader() {
      @Override
      public long length() {
        return content.length;
      }

      @Override
      public int read(long position, byte[] into, int offset, int length) {
        int read = (int) Math.min(length, content.length - position);
        System.arraycopy(content, (int) position, into, offset, read);
        return read;
      }

      @Override
      public void close() {
        // nothing is held
      }
    };
  }

  private synchronized void ask(String path) {
    tries++;
    if (refuses) {
      throw new FailedWorkException("it refuses", path, "");
    }
  }

  @Override
  public List<StoredFile> list(String path) {
    return files.entrySet().stream()
        .map(file -> new StoredFile(file.getKey(), file.getValue().length))
        .sorted(java.util.Comparator.comparing(StoredFile::path))
        .toList();
  }

  @Override
  public boolean delete(String path) {
    return files.remove(path) != null;
  }

  @Override
  public void close() {
    // nothing is held
  }
}
