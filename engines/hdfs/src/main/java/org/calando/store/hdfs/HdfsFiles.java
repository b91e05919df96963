package org.calando.store.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.calando.core.BadRequestException;
import org.calando.core.store.FileStore;
import org.calando.store.hdfs.internal.FileReader;
import org.calando.store.hdfs.internal.FileWriter;
import org.calando.store.hdfs.internal.NameNode;

/**
 * Files in a folder of HDFS that Calando created and marked, with an empty file {@value #MARKER}.
 * Thread safe, as {@link FileStore} says.
 */
public final class HdfsFiles implements FileStore {
  /** The name of the file that marks a folder as Calando's. */
  public static final String MARKER = ".calando";

  private static final int BUFFER_BYTES = 64 << 10;

  private final NameNode nameNode;
  private final String folder;

  private HdfsFiles(NameNode nameNode, String folder) {
    this.nameNode = nameNode;
    this.folder = folder;
  }

  /**
   * Opens a folder, which is made and marked if there is none.
   *
   * @param cluster stays the caller's to close
   * @param folder absolute path, not the root
   * @throws BadRequestException if there is one of this path that Calando did not make
   */
  public static HdfsFiles open(HdfsCluster cluster, String folder) {
    if (!folder.startsWith("/") || !isPlain(folder.substring(1))) {
      throw new BadRequestException(
          "'" + folder + "' is no absolute path of a folder", "", "give one such as /calando");
    }
    HdfsFiles files = new HdfsFiles(cluster.nameNode(), folder);
    files.claim();
    return files;
  }

  /** The folder's absolute path. */
  public String folder() {
    return folder;
  }

  /** The absolute path of a file, as other commands of HDFS need it. */
  public String absolute(String path) {
    return inFolder(path).toUri().getPath();
  }

  @Override
  public Writer create(String path, Shape shape) {
    Path file = inFolder(path);
    return nameNode.call(
        "creating " + file,
        fs -> {
          FSDataOutputStream out =
              fs.create(
                  file,
                  FsPermission.getFileDefault(),
                  EnumSet.of(CreateFlag.CREATE),
                  BUFFER_BYTES,
                  (short) shape.replication(),
                  shape.blockBytes(),
                  null);
          return new FileWriter(out, file.toString());
        });
  }

  @Override
  public Reader open(String path) {
    Path file = inFolder(path);
    return nameNode.call(
        "opening " + file,
        fs -> {
          long length = fs.getFileStatus(file).getLen();
          FSDataInputStream in = fs.open(file, BUFFER_BYTES);
          return new FileReader(in, length, file.toString());
        });
  }

  @Override
  public List<StoredFile> list(String path) {
    Path below = path.isEmpty() ? new Path(folder) : inFolder(path);
    return nameNode.call("listing " + below, fs -> list(fs, below));
  }

  private List<StoredFile> list(DistributedFileSystem fs, Path below) throws IOException {
    List<StoredFile> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all = fs.listFiles(below, true);
    while (all.hasNext()) {
      FileStatus file = all.next();
      String relative = file.getPath().toUri().getPath().substring(folder.length() + 1);
      if (!relative.equals(MARKER)) {
        files.add(new StoredFile(relative, file.getLen()));
      }
    }
    files.sort(Comparator.comparing(StoredFile::path));
    return files;
  }

  @Override
  public boolean delete(String path) {
    Path file = inFolder(path);
    return nameNode.call("removing " + file, fs -> fs.delete(file, true));
  }

  /** Nothing is held: the cluster is the caller's. */
  @Override
  public void close() {
    // as its comment says
  }

  /**
   * The folder appears with its mark or not at all: one that is made by two at once is the first's,
   * and fit for both.
   */
  private void claim() {
    Path path = new Path(folder);
    Path made = path.suffix("." + UUID.randomUUID() + ".new");
    boolean ours =
        nameNode.call(
            "making " + folder,
            fs -> {
              if (!fs.exists(path)) {
                fs.mkdirs(made);
                fs.create(new Path(made, MARKER), true).close();
                moveUnlessThere(fs, made, path);
              }
              return fs.exists(new Path(path, MARKER));
            });
    if (!ours) {
      throw new BadRequestException(
          "Calando did not make it, and writes and removes nothing there",
          folder,
          "name a folder that does not exist yet");
    }
  }

  private static void moveUnlessThere(DistributedFileSystem fs, Path from, Path to)
      throws IOException {
    try {
      fs.rename(from, to, Rename.NONE);
    } catch (IOException e) {
      if (!fs.exists(to)) {
        throw e;
      }
      fs.delete(from, true);
    }
  }

  private Path inFolder(String path) {
    if (!isPlain(path) || path.equals(MARKER)) {
      throw new BadRequestException(
          "'" + path + "' is no path of a file in it", folder, "give one such as old/part-3");
    }
    return new Path(folder + "/" + path);
  }

  /** Names with one slash between, none of which leads elsewhere. */
  private static boolean isPlain(String path) {
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf(':') >= 0) {
        return false;
      }
    }
    return true;
  }
}
