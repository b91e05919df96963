package org.calando.store.hdfs.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.calando.core.BadRequestException;
import org.calando.store.hdfs.FileBlocks;
import org.jspecify.annotations.Nullable;

/** Walks through folders, a page after the other. */
public final class Listing {
  private final NameNode nameNode;

  /** Of a cluster. */
  public Listing(NameNode nameNode) {
    this.nameNode = nameNode;
  }

  /**
   * Tells of all files below a folder.
   *
   * @throws BadRequestException if there is no such folder
   */
  public void walk(String folder, Consumer<FileBlocks> consumer) {
    String top = new Path(folder).toUri().getPath();
    if (!isFolder(top)) {
      throw new BadRequestException("there is no such folder", top, "");
    }
    Deque<String> left = new ArrayDeque<>(List.of(top));
    while (!left.isEmpty()) {
      walkOne(left.pop(), left, consumer);
    }
  }

  private boolean isFolder(String path) {
    return Boolean.TRUE.equals(
        nameNode.call(
            "looking at " + path,
            fs -> {
              HdfsFileStatus status = fs.getClient().getFileInfo(path);
              return status != null && status.isDirectory();
            }));
  }

  /** Adds the folders in a folder to those left. One that has gone meanwhile is empty. */
  private void walkOne(String folder, Deque<String> left, Consumer<FileBlocks> consumer) {
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    while (true) {
      DirectoryListing page = page(folder, after);
      if (page == null) {
        return;
      }
      for (HdfsFileStatus status : page.getPartialListing()) {
        String path = status.getFullName(folder);
        if (status.isDirectory()) {
          left.push(path);
        } else if (status instanceof HdfsLocatedFileStatus located) {
          consumer.accept(file(path, located, located.getLocatedBlocks()));
        }
      }
      if (!page.hasMore()) {
        return;
      }
      after = page.getLastName();
    }
  }

  private @Nullable DirectoryListing page(String folder, byte[] after) {
    return nameNode
        .call(
            "listing " + folder,
            fs -> Optional.ofNullable(fs.getClient().listPaths(folder, after, true)))
        .orElse(null);
  }

  /** A file as it is now; empty if there is none, or it is a folder. */
  public Optional<FileBlocks> file(String path) {
    return nameNode.call(
        "looking at " + path,
        fs -> {
          HdfsLocatedFileStatus status = fs.getClient().getLocatedFileInfo(path, false);
          return status == null || status.isDirectory()
              ? Optional.<FileBlocks>empty()
              : Optional.of(file(path, status, status.getLocatedBlocks()));
        });
  }

  private static FileBlocks file(
      String path, HdfsFileStatus status, @Nullable LocatedBlocks located) {
    List<FileBlocks.BlockReplicas> blocks = new ArrayList<>();
    if (located != null) {
      located.getLocatedBlocks().forEach(block -> blocks.add(block(block)));
      addOpenBlock(located, blocks);
    }
    return new FileBlocks(
        path, status.getReplication(), located != null && located.isUnderConstruction(), blocks);
  }

  /** The block that is being written lies behind the length that the NameNode knows. */
  private static void addOpenBlock(LocatedBlocks located, List<FileBlocks.BlockReplicas> blocks) {
    LocatedBlock last = located.getLastLocatedBlock();
    if (located.isUnderConstruction()
        && last != null
        && blocks.stream().noneMatch(block -> block.id() == last.getBlock().getBlockId())) {
      blocks.add(block(last));
    }
  }

  private static FileBlocks.BlockReplicas block(LocatedBlock located) {
    ExtendedBlock block = located.getBlock();
    DatanodeInfo[] holders = located.getLocations();
    return new FileBlocks.BlockReplicas(
        block.getBlockPoolId(),
        block.getBlockId(),
        block.getGenerationStamp(),
        block.getNumBytes(),
        located.getStartOffset(),
        Arrays.stream(holders).map(DatanodeInfo::getDatanodeUuid).toList(),
        located.isCorrupt());
  }
}
