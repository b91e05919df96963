package org.calando.local.cassandra;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.calando.core.FailedWorkException;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;
import org.calando.local.process.SupervisedProcess;
import org.calando.local.process.TetherJar;
import org.calando.local.relay.LinkCounters;
import org.calando.local.relay.LinkDelays;
import org.calando.local.relay.LiveDelays;
import org.calando.local.relay.RelayCommand;
import org.calando.local.relay.RelayMain;

/** The processes of one Cassandra cluster: what each is started with. Thread safe. */
final class ClusterProcesses {
  private static final String RELAY = "relay";
  private static final Duration RELAY_TIMEOUT = Duration.ofSeconds(30);

  private final LocalCassandraConfig config;
  private final ProcessGroup group;

  ClusterProcesses(LocalCassandraConfig config, RunFolder folder) {
    this.config = config;
    this.group = new ProcessGroup(folder);
  }

  Path folder() {
    return group.folder();
  }

  /** The file of the relay's counters. */
  Path countersFile() {
    return folder().resolve("relay.counters");
  }

  /** The file of the links' delays. */
  Path delaysFile() {
    return folder().resolve("relay.delays");
  }

  void onUnexpectedExit(Consumer<LocalCassandra.ProcessExit> listener) {
    group.onUnexpectedExit(
        exit -> listener.accept(new LocalCassandra.ProcessExit(exit.name(), exit.exitCode())));
  }

  /** Starts the relay and waits until it listens. */
  void startRelay(LinkDelays delays) {
    boolean tethered = config.stateFolder().isEmpty();
    Path counters = countersFile();
    RunFolder.removeTree(counters);
    LiveDelays.create(delaysFile(), delays);
    List<String> arguments =
        RelayMain.arguments(
            config.nodes(), config.block(), config.storagePort(), delaysFile(), counters);
    List<String> command = RelayCommand.of(config.javaHome(), tethered, arguments);
    Path log = folder().resolve("relay.log");
    group
        .launch(() -> new SupervisedProcess.Spec(RELAY, command, folder(), log, tethered))
        .awaitReady(() -> LinkCounters.isReady(counters, config.nodes()), RELAY_TIMEOUT);
  }

  /** Starts node i (1 to N); returns at once. */
  void startNode(int node) {
    NodeFiles files = new NodeFiles(config, node, folder());
    boolean tethered = config.stateFolder().isEmpty();
    List<Path> jars = Preflight.jars(config);
    var unused = group.launch(() -> node(node, files, jars, tethered));
  }

  private SupervisedProcess.Spec node(
      int node, NodeFiles files, List<Path> jars, boolean tethered) {
    try {
      files.write();
      Path tether = TetherJar.writeInto(files.folder());
      List<String> command = NodeCommand.of(config, node, files, jars, tether, tethered);
      return new SupervisedProcess.Spec("n" + node, command, files.folder(), files.log(), tethered);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the files of " + "n" + node + " cannot be written: " + e,
          files.folder().toString(),
          "free space there",
          e);
    }
  }

  /** Fails if one of the nodes does not run, or all has been closed. */
  void requireAlive(List<Integer> nodes) {
    group.requireAlive(nodes.stream().map(node -> "n" + node).toList());
  }

  /** Ends a process: SIGTERM and after the grace SIGKILL; with no grace SIGKILL at once. */
  void end(String name, Duration grace) {
    group.end(name, grace);
  }

  /** The process last started under a name. */
  Optional<ProcessIdentity> recorded(String name) {
    return group.recorded(name);
  }

  boolean isRunning(String name) {
    return group.isRunning(name);
  }

  List<Integer> runningNodes() {
    return IntStream.rangeClosed(1, config.nodes())
        .filter(i -> isRunning("n" + i))
        .boxed()
        .toList();
  }

  /** Ends all at once and removes the folder; idempotent. */
  void discard() {
    group.discard();
  }

  /** From here on, the end of this process in any way ends the cluster. */
  void guardAgainstCrash() {
    group.guardAgainstCrash();
  }

  /**
   * Lets the cluster outlive this process.
   *
   * @throws FailedWorkException if it has been closed, for example because this process is to end
   */
  void keep() {
    group.keep();
  }

  /** Whether the end of this process ends the cluster. */
  boolean isGuarded() {
    return group.isGuarded();
  }
}
