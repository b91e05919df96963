package org.calando.cli.layout;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.calando.cli.Answer;
import org.calando.cli.Main;
import org.calando.cli.OutputOptions;
import org.calando.cli.StateFolder;
import org.calando.cli.StoreAccess;
import org.calando.cli.TextArguments;
import org.calando.engine.cassandra.ClusterAccess;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.study.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code calando layout move}: the moves that bring a cluster into a layout. */
@Command(
    name = "move",
    mixinStandardHelpOptions = true,
    description =
        "Moves the nodes of a Cassandra cluster with one token a node into a layout, or plans"
            + " that and shows what each move streams; see docs/layout.md.",
    modelTransformer = MoveArguments.class)
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class LayoutMoveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    LiveMoveArguments live = new LiveMoveArguments();
    live.take(spec);
    if (!live.isLive()) {
      MoveArguments arguments = new MoveArguments();
      arguments.take(spec);
      MoveAnswer answer = MoveAnswer.of(arguments.request());
      output.print(answer.json(), answer.table());
      return 0;
    }
    LiveMoveRequest request = live.request();
    ClusterAccess access = access(live.inventory());
    try (Progress progress = output.progress()) {
      Answer answer = new LiveMove(access, request, Main.stop(spec), progress).run();
      output.print(answer.json(), answer.lines());
    }
    return 0;
  }

  private ClusterAccess access(Optional<Path> inventory) {
    return inventory
        .map(file -> StoreAccess.cluster(file, TextArguments.all(spec, LiveMoveArguments.SET)))
        .orElseGet(
            () ->
                ClusterAccess.of(LocalCassandra.attach(StateFolder.local(LocalCassandra.ENGINE))));
  }
}
