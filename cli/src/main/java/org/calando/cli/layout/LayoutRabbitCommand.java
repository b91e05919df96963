package org.calando.cli.layout;

import java.util.concurrent.Callable;
import org.calando.cli.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code calando layout rabbit}: what nodes hold and serve in each gear. */
@Command(
    name = "rabbit",
    mixinStandardHelpOptions = true,
    description =
        "Lays blocks out as RABBIT does, one replica on primary nodes and the others behind"
            + " them, and shows what each node then holds, and serves in each gear; see"
            + " docs/gears.md.",
    modelTransformer = GearLayoutArguments.Rabbit.class)
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class LayoutRabbitCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    GearLayoutArguments arguments = new GearLayoutArguments.Rabbit();
    arguments.take(spec);
    GearLayoutAnswer answer = GearLayoutAnswer.of(arguments.request());
    output.print(answer.json(), answer.table());
    return 0;
  }
}
