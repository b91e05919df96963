package org.calando.cli.layout;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of which nodes are warm, beside the layout. */
@SuppressWarnings("unused") // their texts are read from what picocli matched
final class WarmOptions {
  @Option(
      names = RingArguments.WARM,
      paramLabel = "SHARE",
      description = "The same as --layout: the share of warm nodes.")
  private @Nullable String warm;

  @Option(
      names = RingArguments.INTERLEAVE,
      description = "Warm and cool nodes take turns; without it all warm ones come first.")
  private boolean interleave;
}
