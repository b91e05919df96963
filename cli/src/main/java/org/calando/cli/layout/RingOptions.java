package org.calando.cli.layout;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a ring and its replicas. */
@SuppressWarnings("unused") // their texts are read from what picocli matched
final class RingOptions {
  @Option(
      names = RingArguments.PARTITIONER,
      paramLabel = "NAME",
      description = "murmur3 (the default) or random: the cluster's partitioner.")
  private @Nullable String partitioner;

  @Option(
      names = RingArguments.RF,
      paramLabel = "R",
      description = "Replicas of each key; 3 by default, or all nodes if there are fewer.")
  private @Nullable String replicas;

  @Option(
      names = RingArguments.RACKS,
      paramLabel = "RACKS",
      description = "Racks, which the nodes take in turn; 1 by default.")
  private @Nullable String racks;
}
