package org.calando.cli.layout;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every layout with gears. */
@SuppressWarnings("unused") // their texts are read from what picocli matched
final class GearLayoutOptions {
  @Option(
      names = GearLayoutArguments.NODES,
      paramLabel = "N",
      description = "Nodes of the store; the last of --gears by default.")
  private @Nullable String nodes;

  @Option(
      names = GearLayoutArguments.GEARS,
      paramLabel = "N,N..",
      description = "How many nodes are on in gear 1, 2 and so on: 3,7.")
  private @Nullable String gears;

  @Option(
      names = GearLayoutArguments.BLOCKS,
      paramLabel = "B",
      description = "How many blocks are stored, 1 to 1000000.")
  private @Nullable String blocks;

  @Option(
      names = GearLayoutArguments.BYTES,
      paramLabel = "SIZE",
      description = "Bytes of a block, for figures in bytes: 64MB.")
  private @Nullable String bytes;
}
