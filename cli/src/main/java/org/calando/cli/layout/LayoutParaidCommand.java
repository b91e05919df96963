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

/** {@code calando layout paraid}: what nodes hold and serve in each gear. */
@Command(
    name = "paraid",
    mixinStandardHelpOptions = true,
    description =
        "Lays blocks out as PARAID does, evenly over all nodes, with copies for lower gears,"
            + " and shows what each node then holds, and serves in each gear; see docs/gears.md.")
@SuppressWarnings({"NullAway.Init", "unused"}) // picocli sets the fields before the call
final class LayoutParaidCommand implements Callable<Integer> {
  // Read from what picocli matched, as texts, so that everything that is wrong is told at once.

  @Mixin private GearLayoutOptions layout;

  @Option(
      names = GearLayoutArguments.ORDER,
      paramLabel = "ORDER",
      description =
          "even (the default): one round over all blocks; per-file: each file begins at node 1.")
  private @Nullable String order;

  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    GearLayoutArguments arguments = new GearLayoutArguments();
    GivenOptions.of(spec, arguments::put);
    GearLayoutAnswer answer = GearLayoutAnswer.of(arguments.paraid());
    output.print(answer.json(), answer.table());
    return 0;
  }
}
