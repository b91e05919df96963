package org.calando.cli;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code calando layout rabbit}: what nodes hold and serve in each gear. */
@Command(
    name = "rabbit",
    mixinStandardHelpOptions = true,
    description =
        "Lays blocks out as RABBIT does, one replica on primary nodes and the others behind them, and tells what each node then holds, and serves in each gear; see docs/gears.md.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class LayoutRabbitCommand implements Callable<Integer> {
  // Texts, so that everything that is wrong is told at once.

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

  @Option(
      names = GearLayoutArguments.PRIMARIES,
      paramLabel = "P",
      description = "Primary nodes: the first ones; by default those of gear 1.")
  private @Nullable String primaries;

  @Option(
      names = GearLayoutArguments.REPLICAS,
      paramLabel = "R",
      description = "Replicas of each block; 2 by default.")
  private @Nullable String replicas;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    GearLayoutArguments arguments = new GearLayoutArguments();
    arguments.put(GearLayoutArguments.NODES, nodes);
    arguments.put(GearLayoutArguments.GEARS, gears);
    arguments.put(GearLayoutArguments.BLOCKS, blocks);
    arguments.put(GearLayoutArguments.BYTES, bytes);
    arguments.put(GearLayoutArguments.PRIMARIES, primaries);
    arguments.put(GearLayoutArguments.REPLICAS, replicas);
    GearLayoutAnswer answer = GearLayoutAnswer.of(arguments.rabbit());
    PrintStream stdout = new PrintStream(System.out, true, OutputOptions.charset());
    if (output.json()) {
      stdout.println(answer.json().toPrettyString());
    } else {
      answer.table().forEach(stdout::println);
    }
    return 0;
  }
}
