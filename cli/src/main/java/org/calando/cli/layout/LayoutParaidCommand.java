package org.calando.cli.layout;

import java.util.concurrent.Callable;
import org.calando.cli.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code calando layout paraid}: what nodes hold and serve in each gear. */
@Command(
    name = "paraid",
    mixinStandardHelpOptions = true,
    description =
        "Lays blocks out as PARAID does, evenly over all nodes, with copies for lower gears,"
            + " and shows what each node then holds, and serves in each gear; see docs/gears.md.",
    modelTransformer = GearLayoutArguments.Paraid.class)
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class LayoutParaidCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    GearLayoutArguments arguments = new GearLayoutArguments.Paraid();
    arguments.take(spec);
    GearLayoutAnswer answer = GearLayoutAnswer.of(arguments.request());
    output.print(answer.json(), answer.table());
    return 0;
  }
}
