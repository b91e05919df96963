package org.calando.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.study.ClusterAccess;
import org.calando.study.Progress;
import org.calando.study.StoreAccess;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code calando layout move}: the moves that bring a cluster into a layout. */
@Command(
    name = "move",
    mixinStandardHelpOptions = true,
    description =
        "Moves the nodes of a Cassandra cluster with one token a node into a layout, or plans that"
            + " and tells what each move streams; see docs/layout.md.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class LayoutMoveCommand implements Callable<Integer> {
  // Texts, so that everything that is wrong is told at once.

  @Option(
      names = MoveArguments.DRY_RUN,
      description = "Tells the plan and moves nothing; required without a live cluster.")
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
          "Has a node move where its JMX is not reached: ssh {address} nodetool move -- {token}.")
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

  @ParentCommand private LayoutCommand parent;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    if (inventory == null && !local) {
      MoveAnswer answer = MoveAnswer.of(arguments().request(tokens));
      print(answer.json(), answer.table());
      return 0;
    }
    LiveMoveRequest request = liveArguments().request(moveCommand, cleanupCommand);
    ClusterAccess access = access();
    try (Progress progress = output.progress()) {
      LiveMove.Answer answer = new LiveMove(access, request, parent.main().stop(), progress).run();
      print(answer.json(), answer.lines());
    }
    return 0;
  }

  private void print(ObjectNode json, List<String> lines) {
    PrintStream stdout = new PrintStream(System.out, true, OutputOptions.charset());
    if (output.json()) {
      stdout.println(json.toPrettyString());
    } else {
      lines.forEach(stdout::println);
    }
  }

  private ClusterAccess access() {
    return inventory != null
        ? StoreAccess.cluster(inventory, overrides)
        : ClusterAccess.of(LocalCassandra.attach(StateFolder.local(LocalCassandra.ENGINE)));
  }

  private MoveArguments arguments() {
    MoveArguments arguments = new MoveArguments();
    ring(arguments::put);
    live(arguments::put);
    return arguments;
  }

  private LiveMoveArguments liveArguments() {
    LiveMoveArguments arguments = new LiveMoveArguments();
    ring(arguments::put);
    live(arguments::put);
    arguments.put(MoveArguments.TOKENS, tokens);
    return arguments;
  }

  private void ring(BiConsumer<String, @Nullable String> put) {
    put.accept(MoveArguments.DRY_RUN, given(dryRun));
    put.accept(RingArguments.LAYOUT, layout);
    put.accept(RingArguments.WARM, warm);
    put.accept(RingArguments.INTERLEAVE, given(interleave));
    put.accept(RingArguments.NODES, nodes);
    put.accept(MoveArguments.FROM, from);
    put.accept(RingArguments.PARTITIONER, partitioner);
    put.accept(RingArguments.RF, replicas);
    put.accept(RingArguments.RACKS, racks);
    put.accept(MoveArguments.DATA, data);
  }

  private void live(BiConsumer<String, @Nullable String> put) {
    put.accept(LiveMoveArguments.INVENTORY, inventory == null ? null : inventory.toString());
    put.accept(LiveMoveArguments.LOCAL, given(local));
    put.accept(LiveMoveArguments.RESUME, given(resume));
    put.accept(LiveMoveArguments.UNDO, given(undo));
    put.accept(LiveMoveArguments.ABANDON, given(abandon));
    put.accept(LiveMoveArguments.CLEANUP, given(cleanup));
    put.accept(LiveMoveArguments.MOVE_COMMAND, moveCommand);
    put.accept(LiveMoveArguments.CLEANUP_COMMAND, cleanupCommand);
    put.accept(LiveMoveArguments.WITHIN, within);
    put.accept(LiveMoveArguments.ALLOW_LOAD, given(allowLoad));
    put.accept(LiveMoveArguments.SET, overrides.isEmpty() ? null : overrides.get(0));
  }

  private static @Nullable String given(boolean flag) {
    return flag ? "" : null;
  }
}
