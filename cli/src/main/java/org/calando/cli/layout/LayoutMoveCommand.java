package org.calando.cli.layout;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.calando.cli.GivenOptions;
import org.calando.cli.OutputOptions;
import org.calando.cli.StateFolder;
import org.calando.cli.StoreAccess;
import org.calando.engine.cassandra.ClusterAccess;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.study.Progress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code calando layout move}: the moves that bring a cluster into a layout. */
@Command(
    name = "move",
    mixinStandardHelpOptions = true,
    description =
        "Moves the nodes of a Cassandra cluster with one token a node into a layout, or plans"
            + " that and shows what each move streams; see docs/layout.md.")
@SuppressWarnings({"NullAway.Init", "unused"}) // picocli sets the fields before the call
final class LayoutMoveCommand implements Callable<Integer> {
  // Read from what picocli matched, as texts, so that everything that is wrong is told at once.

  @Option(
      names = MoveArguments.DRY_RUN,
      description = "Prints the plan and moves nothing; required without a live cluster.")
  private boolean dryRun;

  @Option(
      names = LiveMoveArguments.INVENTORY,
      paramLabel = "FILE.yaml",
      description = "The live cluster: that of a study's file, or an inventory.")
  private @Nullable Path inventory;

  @Option(
      names = LiveMoveArguments.LOCAL,
      description = "The cluster that ./calando local start cassandra left running.")
  private boolean local;

  @Option(
      names = LiveMoveArguments.RESUME,
      description = "Resumes the plan of this cluster that was not finished.")
  private boolean resume;

  @Option(
      names = LiveMoveArguments.UNDO,
      description = "Moves nodes back to where they were before the unfinished plan.")
  private boolean undo;

  @Option(
      names = LiveMoveArguments.ABANDON,
      description = "Gives the unfinished plan up: nodes stay where they are.")
  private boolean abandon;

  @Option(
      names = LiveMoveArguments.CLEANUP,
      description = "After the moves nodes drop from disk what they no longer own.")
  private boolean cleanup;

  @Option(
      names = LiveMoveArguments.MOVE_COMMAND,
      paramLabel = "COMMAND",
      description =
          "Command that moves a node whose JMX is not reachable: ssh {address} nodetool move --"
              + " {token}.")
  private @Nullable String moveCommand;

  @Option(
      names = LiveMoveArguments.CLEANUP_COMMAND,
      paramLabel = "COMMAND",
      description = "With --move-command and --cleanup: ssh {address} nodetool cleanup.")
  private @Nullable String cleanupCommand;

  @Option(
      names = LiveMoveArguments.WITHIN,
      paramLabel = "TIME",
      description = "How long one move may take; 24h by default.")
  private @Nullable String within;

  @Option(
      names = LiveMoveArguments.ALLOW_LOAD,
      description = "Allows to move a cluster that is not on this machine.")
  private boolean allowLoad;

  @Option(
      names = LiveMoveArguments.SET,
      paramLabel = "PATH=VALUE",
      description = "With --inventory: replaces a value of the study's file. Repeatable.")
  private List<String> overrides = new ArrayList<>();

  @Option(
      names = RingArguments.LAYOUT,
      paramLabel = "LAYOUT",
      description = "Where to: even, half, third, two-thirds, or a share of warm nodes: 1/4.")
  private @Nullable String layout;

  @Mixin private WarmOptions warm;

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

  @Mixin private RingOptions ring;

  @Option(
      names = MoveArguments.DATA,
      paramLabel = "SIZE",
      description =
          "Size of all data with one replica each, 100GB: then bytes are shown in place of"
              + " shares.")
  private @Nullable String data;

  @ParentCommand private LayoutCommand parent;

  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    if (inventory == null && !local) {
      MoveArguments arguments = new MoveArguments();
      GivenOptions.of(spec, arguments::put);
      MoveAnswer answer = MoveAnswer.of(arguments.request(tokens));
      output.print(answer.json(), answer.table());
      return 0;
    }
    LiveMoveArguments arguments = new LiveMoveArguments();
    GivenOptions.of(spec, arguments::put);
    LiveMoveRequest request = arguments.request(moveCommand, cleanupCommand);
    ClusterAccess access = access();
    try (Progress progress = output.progress()) {
      LiveMove.Answer answer = new LiveMove(access, request, parent.main().stop(), progress).run();
      output.print(answer.json(), answer.lines());
    }
    return 0;
  }

  private ClusterAccess access() {
    return inventory != null
        ? StoreAccess.cluster(inventory, overrides)
        : ClusterAccess.of(LocalCassandra.attach(StateFolder.local(LocalCassandra.ENGINE)));
  }
}
