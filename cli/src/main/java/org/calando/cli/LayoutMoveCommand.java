package org.calando.cli;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code calando layout move}: the moves that bring a live cluster into a layout. */
@Command(
    name = "move",
    mixinStandardHelpOptions = true,
    description =
        "Plans how a Cassandra cluster with one token a node gets into a layout by moves, and tells"
            + " what each move streams; see docs/layout.md. Moves nothing.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class LayoutMoveCommand implements Callable<Integer> {
  // Texts, so that everything that is wrong is told at once.

  @Option(
      names = MoveArguments.DRY_RUN,
      description = "Tells the plan; required, as this version carries none out.")
  private boolean dryRun;

  @Option(
      names = RingArguments.LAYOUT,
      paramLabel = "LAYOUT",
      description = "Where to: even, half, third, two-thirds, or a share of warm nodes: 1/4.")
  private @Nullable String layout;

  @Option(
      names = RingArguments.WARM,
      paramLabel = "SHARE",
      description = "The same as --layout: the share of warm nodes.")
  private @Nullable String warm;

  @Option(
      names = RingArguments.INTERLEAVE,
      description = "Warm and cool nodes take turns; without it all warm ones come first.")
  private boolean interleave;

  @Option(
      names = MoveArguments.TOKENS,
      paramLabel = "TOKEN,TOKEN,...",
      description = "The nodes' tokens now, as nodetool ring shows them.")
  private @Nullable String tokens;

  @Option(
      names = RingArguments.NODES,
      paramLabel = "N",
      description = "Without --tokens: nodes of the cluster.")
  private @Nullable String nodes;

  @Option(
      names = MoveArguments.FROM,
      paramLabel = "LAYOUT",
      description = "Without --tokens: the layout that the nodes are in; even by default.")
  private @Nullable String from;

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

  @Option(
      names = MoveArguments.DATA,
      paramLabel = "SIZE",
      description = "Size of all data with one replica each, 100GB: tells bytes, not shares.")
  private @Nullable String data;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    MoveArguments arguments = new MoveArguments();
    arguments.put(MoveArguments.DRY_RUN, dryRun ? "" : null);
    arguments.put(RingArguments.LAYOUT, layout);
    arguments.put(RingArguments.WARM, warm);
    arguments.put(RingArguments.INTERLEAVE, interleave ? "" : null);
    arguments.put(RingArguments.NODES, nodes);
    arguments.put(MoveArguments.FROM, from);
    arguments.put(RingArguments.PARTITIONER, partitioner);
    arguments.put(RingArguments.RF, replicas);
    arguments.put(RingArguments.RACKS, racks);
    arguments.put(MoveArguments.DATA, data);
    MoveAnswer answer = MoveAnswer.of(arguments.request(tokens));
    PrintStream stdout = new PrintStream(System.out, true, OutputOptions.charset());
    if (output.json()) {
      stdout.println(answer.json().toPrettyString());
    } else {
      answer.table().forEach(stdout::println);
    }
    return 0;
  }
}
