package org.calando.local.cassandra;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.calando.core.FailedWorkException;
import org.calando.local.process.Guard;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;
import org.calando.local.process.RunState;
import org.calando.local.process.SupervisedProcess;
import org.calando.local.process.TetherJar;
import org.calando.local.relay.LinkCounters;
import org.calando.local.relay.LinkDelays;
import org.calando.local.relay.LiveDelays;
import org.calando.local.relay.RelayCommand;
import org.calando.local.relay.RelayMain;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one cluster and its folder: starts them, ends them, and knows which run. Thread
 * safe; once closed, nothing is started or written any more.
 */
final class ClusterProcesses {
  private static final String RELAY = "relay";
  private static final Duration RELAY_TIMEOUT = Duration.ofSeconds(30);

  private final LocalCassandraConfig config;
  private final RunFolder folder;
  private final Object lock = new Object();
  private final Map<String, SupervisedProcess> processes = new ConcurrentHashMap<>();
  private final List<Consumer<LocalCassandra.ProcessExit>> exitListeners =
      new CopyOnWriteArrayList<>();
  private @Nullable Guard guard;
  private @Nullable Thread exitHook;
  private volatile boolean closed;

  ClusterProcesses(LocalCassandraConfig config, RunFolder folder) {
    this.config = config;
    this.folder = folder;
  }

  Path folder() {
    return folder.path();
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
    exitListeners.add(listener);
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
    launch(new SupervisedProcess.Spec(RELAY, command, folder(), log, tethered))
        .awaitReady(() -> LinkCounters.isReady(counters, config.nodes()), RELAY_TIMEOUT);
  }

  /** Starts node i (1 to N); returns at once. */
  void startNode(int node) {
    NodeFiles files = new NodeFiles(config, node, folder());
    boolean tethered = config.stateFolder().isEmpty();
    List<Path> jars = Preflight.jars(config);
    // Under the lock, so that no file is written after a close has removed the folder.
    synchronized (lock) {
      requireOpen();
      try {
        files.write();
        Path tether = TetherJar.writeInto(files.folder());
        List<String> command = NodeCommand.of(config, node, files, jars, tether, tethered);
        var unused =
            launch(
                new SupervisedProcess.Spec(
                    "n" + node, command, files.folder(), files.log(), tethered));
      } catch (IOException e) {
        throw new FailedWorkException(
            "the files of " + "n" + node + " cannot be written: " + e,
            files.folder().toString(),
            "free space there",
            e);
      }
    }
  }

  private SupervisedProcess launch(SupervisedProcess.Spec spec) {
    synchronized (lock) {
      requireOpen();
      SupervisedProcess process =
          SupervisedProcess.start(
              spec, exitCode -> tell(new LocalCassandra.ProcessExit(spec.name(), exitCode)));
      processes.put(spec.name(), process);
      folder.record(spec.name(), process.identity());
      return process;
    }
  }

  private void tell(LocalCassandra.ProcessExit exit) {
    if (!closed) {
      exitListeners.forEach(listener -> listener.accept(exit));
    }
  }

  /** Fails if one of the nodes does not run, or all has been closed. */
  void requireAlive(List<Integer> nodes) {
    requireOpen();
    for (int node : nodes) {
      SupervisedProcess process = processes.get("n" + node);
      if (process != null && !process.isAlive()) {
        throw process.failure("ended");
      }
      if (!isRunning("n" + node)) {
        throw new FailedWorkException("n" + node + " is not running", "", "restart it");
      }
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new FailedWorkException("the cluster has been closed", folder().toString(), "");
    }
  }

  /** Ends a process: SIGTERM and after the grace SIGKILL; with no grace SIGKILL at once. */
  void end(String name, Duration grace) {
    SupervisedProcess process = processes.get(name);
    if (process != null && grace.isZero()) {
      process.kill();
    } else if (process != null) {
      process.stop(grace);
    } else {
      recorded(name).ifPresent(identity -> ProcessIdentity.end(List.of(identity), grace.toNanos()));
    }
  }

  /** The process last started under a name. */
  Optional<ProcessIdentity> recorded(String name) {
    return folder.state().children().stream()
        .filter(child -> child.name().equals(name))
        .map(RunState.Child::process)
        .findFirst();
  }

  boolean isRunning(String name) {
    return recorded(name).filter(ProcessIdentity::isAlive).isPresent();
  }

  List<Integer> runningNodes() {
    return IntStream.rangeClosed(1, config.nodes())
        .filter(i -> isRunning("n" + i))
        .boxed()
        .toList();
  }

  List<ProcessIdentity> runningProcesses() {
    return folder.state().children().stream()
        .map(RunState.Child::process)
        .filter(ProcessIdentity::isAlive)
        .toList();
  }

  /** Ends all at once and removes the folder; idempotent. */
  void discard() {
    synchronized (lock) {
      closed = true;
    }
    processes.values().forEach(SupervisedProcess::requestKill);
    boolean gone = ProcessIdentity.end(runningProcesses(), 0);
    folder.remove();
    releaseGuard();
    if (!gone) {
      throw new FailedWorkException("a process outlived SIGKILL", folder().toString(), "");
    }
  }

  /** From here on, the end of this process in any way ends the cluster. */
  void guardAgainstCrash() {
    guard = Guard.over(folder);
    Thread hook = new Thread(this::discard, "calando-local-exit");
    Runtime.getRuntime().addShutdownHook(hook);
    exitHook = hook;
  }

  /**
   * Lets the cluster outlive this process.
   *
   * @throws FailedWorkException if it has been closed, for example because this process is to end
   */
  void keep() {
    synchronized (lock) {
      requireOpen();
      releaseGuard();
    }
  }

  /** Whether the end of this process ends the cluster. */
  boolean isGuarded() {
    synchronized (lock) {
      return guard != null;
    }
  }

  private void releaseGuard() {
    synchronized (lock) {
      if (guard != null) {
        guard.release();
        guard = null;
      }
      if (exitHook != null) {
        try {
          Runtime.getRuntime().removeShutdownHook(exitHook);
        } catch (IllegalStateException exiting) {
          // it is running, or about to
        }
        exitHook = null;
      }
    }
  }

  /** Ends all gently and keeps the folder. */
  void stopAll(Duration grace) {
    synchronized (lock) {
      closed = true;
    }
    boolean gone = ProcessIdentity.end(runningProcesses(), grace.toNanos());
    releaseGuard();
    if (!gone) {
      throw new FailedWorkException("a process outlived SIGKILL", folder().toString(), "");
    }
  }
}
