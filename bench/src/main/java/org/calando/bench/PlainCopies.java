package org.calando.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.calando.bench.gear.CatchUpPair;
import org.calando.core.FailedWorkException;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsNode;

/*
 * Of each block there is a file of one block and one replica, on the node that the block is copied from: so HDFS's client has
 * no other place to read it from. Nodes that a writer prefers are obeyed, also by the placement policy of gears.
 */
/** Copies by a client of HDFS: bytes are read from one DataNode and written to another. */
public final class PlainCopies implements AutoCloseable {
  private static final String FOLDER = "/plain";
  private static final int CHUNK = 1 << 16;

  private final LocalHdfs cluster;
  private final long blockBytes;
  private final DistributedFileSystem store;

  public PlainCopies(LocalHdfs cluster, long blockBytes) {
    this.cluster = cluster;
    this.blockBytes = blockBytes;
    Configuration settings = new Configuration(false);
    settings.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    settings.setBoolean("fs.hdfs.impl.disable.cache", true);
    settings.setBoolean("dfs.client.read.shortcircuit", false);
    settings.set("dfs.checksum.type", "CRC32C");
    try {
      this.store =
          (DistributedFileSystem)
              FileSystem.newInstance(java.net.URI.create(cluster.uri()), settings);
    } catch (IOException e) {
      throw failed("no connection", e);
    }
  }

  /** Writes what a pair's copies are made of. */
  public void prepare(CatchUpPair pair, long seed) {
    SplittableRandom random = new SplittableRandom(seed + pair.index());
    byte[] chunk = new byte[CHUNK];
    try (var out = create(source(pair), pair.source())) {
      for (long left = pair.block().bytes(); left > 0; left -= chunk.length) {
        random.nextBytes(chunk);
        out.write(chunk, 0, (int) Math.min(left, chunk.length));
      }
    } catch (IOException e) {
      throw failed("not written: " + source(pair), e);
    }
    requireOn(source(pair), pair.source());
  }

  /** Copies one. */
  public void copy(CatchUpPair pair) {
    byte[] chunk = new byte[CHUNK];
    try (InputStream in = store.open(source(pair), CHUNK);
        var out = create(target(pair), pair.target())) {
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        out.write(chunk, 0, read);
      }
    } catch (IOException e) {
      throw failed("not copied: " + source(pair), e);
    }
  }

  /** Looks that a copy is where it was to be, and removes it. */
  public void checkAndRemove(CatchUpPair pair) {
    requireOn(target(pair), pair.target());
    try {
      if (!store.delete(target(pair), false)) {
        throw new IOException("it is not there");
      }
    } catch (IOException e) {
      throw failed("not removed: " + target(pair), e);
    }
  }

  private org.apache.hadoop.fs.FSDataOutputStream create(Path path, int node) throws IOException {
    LocalHdfsNode on = cluster.nodes().get(node - 1);
    // By its address only: HDFS's client sends the name that an address has.
    InetAddress address =
        InetAddress.getByAddress(on.address(), InetAddress.getByName(on.address()).getAddress());
    InetSocketAddress[] preferred = {new InetSocketAddress(address, on.transferPort())};
    return store.create(
        path, FsPermission.getFileDefault(), true, CHUNK, (short) 1, blockBytes, null, preferred);
  }

  private void requireOn(Path path, int node) {
    String wanted = cluster.nodes().get(node - 1).transferAddress();
    List<String> found = new ArrayList<>();
    try {
      for (BlockLocation block : store.getFileBlockLocations(path, 0, Long.MAX_VALUE)) {
        found.addAll(Arrays.asList(block.getNames()));
      }
    } catch (IOException e) {
      throw failed("not found: " + path, e);
    }
    if (!found.equals(List.of(wanted))) {
      throw new FailedWorkException(
          path + " is on " + found + " instead of " + wanted, "bench/catchup", "run it again");
    }
  }

  private static Path source(CatchUpPair pair) {
    return new Path(FOLDER, "from-" + pair.index());
  }

  private static Path target(CatchUpPair pair) {
    return new Path(FOLDER, "to-" + pair.index());
  }

  @Override
  public void close() {
    try {
      store.close();
    } catch (IOException e) {
      throw failed("not closed", e);
    }
  }

  private static FailedWorkException failed(String what, IOException e) {
    return new FailedWorkException(what + ": " + e.getMessage(), "bench/catchup", "", e);
  }
}
