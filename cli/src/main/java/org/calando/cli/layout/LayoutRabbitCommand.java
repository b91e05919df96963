package org.calando.cli.layout;

import java.util.concurrent.Callable;
import org.calando.cli.GivenOptions;
import org.calando.cli.OutputOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code calando layout rabbit}: what nodes hold and serve in each gear. */
@Command(
    name = "rabbit",
    mixinStandardHelpOptions = true,
    description =
        "Lays blocks out as RABBIT does, one replica on primary nodes and the others behind"
            + " them, and shows what each node then holds, and serves in each gear; see"
            + " docs/gears.md.")
@SuppressWarnings({"NullAway.Init", "unused"}) // picocli sets the fields before the call
final class LayoutRabbitCommand implements Callable<Integer> {
  // Read from what picocli matched, as texts, so that everything that is wrong is told at once.

  @Mixin private GearLayoutOptions layout;

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

  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    GearLayoutArguments arguments = new GearLayoutArguments();
    GivenOptions.of(spec, arguments::put);
    GearLayoutAnswer answer = GearLayoutAnswer.of(arguments.rabbit());
    output.print(answer.json(), answer.table());
    return 0;
  }
}
