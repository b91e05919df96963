package org.calando.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.gears.CatchUpPace;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster a gear command is about. */
final class GearOptions {
  @Option(
      names = "--inventory",
      paramLabel = "FILE.yaml",
      description = "The cluster: its NameNode, files and nodes with their switches.")
  private @Nullable Path inventory;

  @Option(
      names = "--local",
      description = "The cluster that ./calando local start hdfs left running.")
  private boolean local;

  /**
   * Connects.
   *
   * @throws BadRequestException unless just one cluster is named, and its file is right
   */
  GearAccess open(CatchUpPace pace, GearProgress news) {
    if (local == (inventory != null)) {
      throw new BadRequestException(
          local ? "two clusters are named" : "no cluster is named",
          "gear",
          "give --inventory FILE.yaml, or --local for that of ./calando local start hdfs");
    }
    return GearAccess.of(Optional.ofNullable(inventory), pace, news);
  }
}
