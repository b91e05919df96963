package org.calando.geartrials;

import java.util.List;
import java.util.stream.LongStream;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.Placer;

/**
 * What has to be sent at an up-shift for blocks that were written while nodes were off: the
 * replicas whose homes are switched on. Nodes that were off hold none of it, so that no way to the
 * layout sends less. Immutable.
 *
 * @param blocks replicas that are sent
 * @param bytes of these
 * @param lowerBoundBytes what the nodes that are switched on are to hold of the new blocks by their
 *     shares: the least in the long run, from which few blocks are away by their rounding
 */
public record ShiftForecast(long blocks, long bytes, double lowerBoundBytes) {
  /**
   * A file that was written.
   *
   * @param name of the file
   * @param blockBytes the length of each of its blocks
   */
  public record NewFile(String name, List<Long> blockBytes) {
    /** Copies the list. */
    public NewFile {
      blockBytes = List.copyOf(blockBytes);
    }

    /**
     * A file in blocks that are full, but for the last.
     *
     * @param bytes of the file, 0 or more
     * @param blockSize above 0
     */
    public static NewFile of(String name, long bytes, long blockSize) {
      return new NewFile(
          name,
          LongStream.iterate(0, at -> at < bytes, at -> at + blockSize)
              .mapToObj(at -> Math.min(blockSize, bytes - at))
              .toList());
    }
  }

  /**
   * The forecast for these files, block by block.
   *
   * @param layout of the store
   * @param placer that the store goes on with; it is used up by this
   * @param writtenIn the gear in which the files were written
   * @param to the gear that is shifted to
   */
  public static ShiftForecast of(
      GearLayout layout, Placer placer, int writtenIn, int to, List<NewFile> files) {
    GearGroups groups = layout.groups();
    long blocks = 0;
    long moved = 0;
    long written = 0;
    for (NewFile file : files) {
      for (long bytes : file.blockBytes()) {
        written += bytes;
        for (int home : placer.next(file.name())) {
          if (!groups.isOn(home, writtenIn) && groups.isOn(home, to)) {
            blocks++;
            moved += bytes;
          }
        }
      }
    }
    return new ShiftForecast(blocks, moved, leastShare(layout, writtenIn, to) * written);
  }

  /** Replicas that are sent for each new block, on average of many blocks. */
  private static double leastShare(GearLayout layout, int writtenIn, int to) {
    GearGroups groups = layout.groups();
    double share = 0;
    for (int node = groups.nodesIn(writtenIn) + 1; node <= groups.nodesIn(to); node++) {
      share += layout.share(node);
    }
    return share;
  }
}
