package org.calando.geartrials;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.calando.core.FailedWorkException;

/**
 * Writes files whose bytes follow from their names, remembers which were acknowledged, and reads
 * them back. A file counts once the store has said that it is closed. Thread safe: one may write
 * while others read.
 */
public final class FileBook implements AutoCloseable {
  private static final int CHUNK = 1 << 16;

  private final FileSystem store;
  private final String folder;
  private final short replication;
  private final Map<String, Long> written = new LinkedHashMap<>();
  private long failedWrites;

  /**
   * A book of files.
   *
   * @param uri of the NameNode
   * @param folder where files are written
   * @param replication of files
   */
  public FileBook(String uri, String folder, int replication) {
    this.folder = folder;
    this.replication = (short) replication;
    try {
      this.store = FileSystem.newInstance(java.net.URI.create(uri), settings());
    } catch (IOException e) {
      throw failed("no connection", uri, e);
    }
  }

  private static Configuration settings() {
    Configuration settings = new Configuration(false);
    settings.set("ipc.client.connect.max.retries", "30");
    settings.set("ipc.client.connect.retry.interval", "500");
    settings.set("dfs.client.block.write.locateFollowingBlock.retries", "9");
    settings.set("dfs.checksum.type", "CRC32C");
    settings.set("dfs.client.socket-timeout", "20000");
    // What is thought of a node that was off must not outlive its return.
    settings.set("dfs.client.deadnode.detection.enabled", "false");
    settings.set("fs.hdfs.impl.disable.cache", "true");
    return settings;
  }

  /**
   * Writes a file.
   *
   * @param name within the folder
   * @param bytes its size
   * @param blockBytes size of its blocks
   * @return whether the store acknowledged it
   */
  public boolean write(String name, long bytes, long blockBytes) {
    try {
      writeAll(name, bytes, blockBytes);
    } catch (IOException e) {
      synchronized (written) {
        failedWrites++;
      }
      return false;
    }
    synchronized (written) {
      written.put(name, bytes);
    }
    return true;
  }

  private void writeAll(String name, long bytes, long blockBytes) throws IOException {
    Path path = new Path(folder, name);
    FSDataOutputStream out = store.create(path, true, CHUNK, replication, blockBytes);
    boolean whole = false;
    try {
      SplittableRandom random = new SplittableRandom(name.hashCode());
      byte[] chunk = new byte[CHUNK];
      for (long left = bytes; left > 0; left -= chunk.length) {
        random.nextBytes(chunk);
        out.write(chunk, 0, (int) Math.min(left, chunk.length));
      }
      out.close();
      whole = true;
    } finally {
      if (!whole) {
        closeBroken(out);
      }
    }
  }

  /** It throws the very exception that broke it, which try-with-resources cannot bear. */
  private static void closeBroken(FSDataOutputStream out) {
    try {
      out.close();
    } catch (IOException again) {
      // told of already
    }
  }

  /** How many files were acknowledged. */
  public int acknowledged() {
    synchronized (written) {
      return written.size();
    }
  }

  /** How many writes the store refused or broke off. */
  public long failedWrites() {
    synchronized (written) {
      return failedWrites;
    }
  }

  /** Bytes of all files that were acknowledged. */
  public long bytes() {
    synchronized (written) {
      return written.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** Reads every acknowledged file back; tells those that are not whole, and why. */
  public List<String> damage() {
    Map<String, Long> files;
    synchronized (written) {
      files = new LinkedHashMap<>(written);
    }
    List<String> damage = new ArrayList<>();
    files.forEach(
        (name, bytes) -> {
          String wrong = damage(name, bytes);
          if (!wrong.isEmpty()) {
            damage.add(name + ": " + wrong);
          }
        });
    return damage;
  }

  private String damage(String name, long bytes) {
    try (FSDataInputStream in = store.open(new Path(folder, name), CHUNK)) {
      SplittableRandom random = new SplittableRandom(name.hashCode());
      byte[] expected = new byte[CHUNK];
      byte[] found = new byte[CHUNK];
      for (long left = bytes; left > 0; left -= CHUNK) {
        random.nextBytes(expected);
        int part = (int) Math.min(left, CHUNK);
        in.readFully(found, 0, part);
        if (!Arrays.equals(expected, 0, part, found, 0, part)) {
          return "other bytes than were written, in the 64 KiB before " + in.getPos();
        }
      }
      return in.read() == -1 ? "" : "longer than what was written";
    } catch (IOException e) {
      return String.valueOf(e.getMessage()).lines().findFirst().orElse("unreadable");
    }
  }

  @Override
  public void close() {
    try {
      store.close();
    } catch (IOException e) {
      throw failed("not closed", folder, e);
    }
  }

  private static FailedWorkException failed(String what, String where, IOException e) {
    return new FailedWorkException(what + ": " + e.getMessage(), where, "see the cause", e);
  }
}
