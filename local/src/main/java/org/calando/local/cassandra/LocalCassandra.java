package org.calando.local.cassandra;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.EngineLibs;
import org.calando.local.process.Guard;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;
import org.calando.local.process.RunState;
import org.calando.local.process.SupervisedProcess;
import org.calando.local.process.TetherJar;
import org.calando.local.relay.LinkCounters;
import org.calando.local.relay.LinkDelays;
import org.calando.local.relay.RelayCommand;
import org.jspecify.annotations.Nullable;

/**
 * A real Cassandra cluster on the loopback interface, a process per node. Thread safe; {@link
 * #close} may be called while another method waits, which then fails.
 *
 * <p>A temporary cluster dies with this process, however this process ends, and leaves nothing
 * behind. A cluster with a state folder runs on: {@link #attach} finds it again.
 */
public final class LocalCassandra implements AutoCloseable {
  /** The engine's name in messages, folders and files. */
  public static final String ENGINE = "cassandra";

  /** The data centre that all nodes are in. */
  public static final String DATA_CENTRE = "dc1";

  private static final String RELAY = "relay";
  private static final Duration RELAY_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration STOP_GRACE = Duration.ofSeconds(20);

  private final LocalCassandraConfig config;
  private final RunFolder folder;
  private final List<Path> jars;
  private final Object lock = new Object();
  private final Map<String, SupervisedProcess> processes = new ConcurrentHashMap<>();
  private final List<Consumer<ProcessExit>> exitListeners = new CopyOnWriteArrayList<>();
  private @Nullable Guard guard;
  private @Nullable Thread exitHook;
  private volatile boolean closed;

  /**
   * A process of the cluster that ended unasked.
   *
   * @param name {@code n1} to {@code nN}, or {@code relay}
   * @param exitCode its exit code; 128 + the signal's number if a signal ended it
   */
  public record ProcessExit(String name, int exitCode) {}

  /**
   * How a node is.
   *
   * @param node the node
   * @param running its process runs
   * @param up it takes CQL connections
   * @param started when its process started; empty if it does not run
   */
  public record NodeStatus(
      LocalNode node, boolean running, boolean up, Optional<Instant> started) {}

  private LocalCassandra(LocalCassandraConfig config, RunFolder folder, List<Path> jars) {
    this.config = config;
    this.folder = folder;
    this.jars = jars;
  }

  /**
   * Starts a cluster, all nodes at once, and waits until every node sees every node up.
   *
   * @throws BadRequestException if ports, memory, Java or server jars are missing: nothing has been
   *     started then
   * @throws FailedWorkException if a node does not come up: everything has been removed again then
   */
  public static LocalCassandra start(LocalCassandraConfig config) {
    List<Path> jars = jars(config);
    config.stateFolder().ifPresent(LocalCassandra::requireUnused);
    Preflight.check(config);
    RunFolder folder =
        config
            .stateFolder()
            .map(path -> RunFolder.persistent(path, ENGINE, ConfigJson.write(config)))
            .orElseGet(
                () -> RunFolder.temporary(RunFolder.base(), ENGINE, ConfigJson.write(config)));
    LocalCassandra cluster = new LocalCassandra(config, folder, jars);
    cluster.guardAgainstCrash();
    try {
      cluster.startProcesses();
    } catch (RuntimeException e) {
      cluster.discard();
      throw e;
    }
    if (config.stateFolder().isPresent()) {
      cluster.releaseGuard();
    }
    return cluster;
  }

  /**
   * Finds a cluster that was started with a state folder.
   *
   * @throws BadRequestException if the folder holds none
   */
  public static LocalCassandra attach(Path stateFolder) {
    try {
      RunFolder folder = RunFolder.open(stateFolder);
      LocalCassandraConfig config = ConfigJson.read(folder.state().cluster(), folder.path());
      return new LocalCassandra(config, folder, List.of());
    } catch (IOException e) {
      throw new BadRequestException(
          "there is no local cluster", stateFolder.toString(), "start one: calando local start");
    }
  }

  /**
   * Starts a cluster that was shut down with its data kept.
   *
   * @throws BadRequestException as {@link #start}, or if a process of it still runs
   */
  public static LocalCassandra resume(Path stateFolder) {
    LocalCassandra found = attach(stateFolder);
    if (!found.runningProcesses().isEmpty()) {
      throw new BadRequestException(
          "the cluster is running", stateFolder.toString(), "stop it first: calando local stop");
    }
    LocalCassandra cluster = new LocalCassandra(found.config, found.folder, jars(found.config));
    Preflight.check(cluster.config);
    try {
      cluster.startProcesses();
    } catch (RuntimeException e) {
      cluster.shutdown(true);
      throw e;
    }
    return cluster;
  }

  /** What the cluster looks like. */
  public LocalCassandraConfig config() {
    return config;
  }

  /** The run or state folder. */
  public Path folder() {
    return folder.path();
  }

  /** The nodes as they are now, n1 first. */
  public List<LocalNode> nodes() {
    return IntStream.rangeClosed(1, config.nodes()).mapToObj(this::node).toList();
  }

  /** The state of each node, n1 first. */
  public List<NodeStatus> status() {
    List<NodeStatus> all = new ArrayList<>();
    for (LocalNode node : nodes()) {
      ProcessIdentity process = new ProcessIdentity(node.pid(), node.startTicks());
      boolean running = process.isAlive();
      try (NodeProbe probe = new NodeProbe(config, node.index())) {
        Optional<Instant> started =
            ProcessHandle.of(node.pid())
                .filter(handle -> running)
                .flatMap(handle -> handle.info().startInstant());
        all.add(new NodeStatus(node, running, running && probe.acceptsCql(), started));
      }
    }
    return all;
  }

  /** The relay's counters of bytes per link; empty without link delays. */
  public Optional<LinkCounters> linkCounters() {
    return config.linkDelays().map(delays -> LinkCounters.open(countersFile(), config.nodes()));
  }

  /** Adds a listener that is told, from a thread of the JDK, of each process that ends unasked. */
  public void onUnexpectedExit(Consumer<ProcessExit> listener) {
    exitListeners.add(listener);
  }

  /** Stops node i (1 to N) by SIGTERM, after 20 s by SIGKILL, and returns when it is gone. */
  public void stop(int node) {
    end(name(node), STOP_GRACE);
  }

  /** Kills node i (1 to N) by SIGKILL and returns when it is gone. */
  public void kill(int node) {
    end(name(node), Duration.ZERO);
  }

  /**
   * Starts a stopped or killed node i (1 to N) and waits until it and all running nodes see each
   * other up.
   *
   * @throws BadRequestException if it is running
   * @throws FailedWorkException if it does not come up in time
   */
  public void restart(int node) {
    if (isRunning(name(node))) {
      throw new BadRequestException(name(node) + " is running", "", "stop it first");
    }
    startNode(node);
    awaitUp(runningNodes());
  }

  /**
   * Waits until every node of the cluster sees every node up.
   *
   * @throws FailedWorkException if it does not happen in time
   */
  public void awaitAllUp() {
    awaitUp(IntStream.rangeClosed(1, config.nodes()).boxed().toList());
  }

  /**
   * Ends a temporary cluster at once and removes its folder; a cluster with a state folder runs on.
   * Idempotent.
   */
  @Override
  public void close() {
    if (config.stateFolder().isEmpty()) {
      discard();
    }
  }

  /**
   * Ends every process of the cluster.
   *
   * @param keepData keeps the state folder, for {@link #resume}; else it is removed
   */
  public void shutdown(boolean keepData) {
    if (!keepData) {
      discard();
      return;
    }
    synchronized (lock) {
      closed = true;
    }
    List<ProcessIdentity> running = runningProcesses();
    if (!ProcessIdentity.end(running, STOP_GRACE.toNanos())) {
      throw new FailedWorkException("a process outlived SIGKILL", folder().toString(), "");
    }
    releaseGuard();
  }

  private void discard() {
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

  private void guardAgainstCrash() {
    guard = Guard.over(folder);
    Thread hook = new Thread(this::discard, "calando-local-exit");
    Runtime.getRuntime().addShutdownHook(hook);
    exitHook = hook;
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

  private void startProcesses() {
    config.linkDelays().ifPresent(this::startRelay);
    for (int node = 1; node <= config.nodes(); node++) {
      startNode(node);
    }
    awaitAllUp();
  }

  private void startRelay(LinkDelays delays) {
    boolean tethered = config.stateFolder().isEmpty();
    Path counters = countersFile();
    RunFolder.removeTree(counters);
    List<String> command =
        RelayCommand.of(
            config.javaHome(), tethered, delays, config.block(), config.storagePort(), counters);
    Path log = folder().resolve("relay.log");
    launch(new SupervisedProcess.Spec(RELAY, command, folder(), log, tethered))
        .awaitReady(() -> LinkCounters.isReady(counters, config.nodes()), RELAY_TIMEOUT);
  }

  private Path countersFile() {
    return folder().resolve("relay.counters");
  }

  private void startNode(int node) {
    NodeFiles files = new NodeFiles(config, node, folder());
    boolean tethered = config.stateFolder().isEmpty();
    List<Path> serverJars = jars.isEmpty() ? jars(config) : jars;
    // Under the lock, so that no file is written after a close has removed the folder.
    synchronized (lock) {
      requireOpen();
      try {
        files.write();
        Path tether = TetherJar.writeInto(folder());
        List<String> command = NodeCommand.of(config, node, files, serverJars, tether, tethered);
        var unused =
            launch(
                new SupervisedProcess.Spec(
                    name(node), command, files.folder(), files.log(), tethered));
      } catch (IOException e) {
        throw new FailedWorkException(
            "the files of " + name(node) + " cannot be written: " + e,
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
          SupervisedProcess.start(spec, exitCode -> tell(new ProcessExit(spec.name(), exitCode)));
      processes.put(spec.name(), process);
      folder.record(spec.name(), process.identity());
      return process;
    }
  }

  private void tell(ProcessExit exit) {
    if (!closed) {
      exitListeners.forEach(listener -> listener.accept(exit));
    }
  }

  private void awaitUp(List<Integer> nodes) {
    try (Readiness readiness = new Readiness(config, nodes)) {
      if (!readiness.await(() -> requireAlive(nodes), config.startTimeout())) {
        throw new FailedWorkException(
            "the cluster is not up after "
                + config.startTimeout().toSeconds()
                + " s: "
                + readiness.missing(),
            folder().toString(),
            "look into the nodes' system.log; on a slow machine allow more time");
      }
    }
  }

  private void requireAlive(List<Integer> nodes) {
    requireOpen();
    for (int node : nodes) {
      SupervisedProcess process = processes.get(name(node));
      if (process != null && !process.isAlive()) {
        throw process.failure("ended");
      }
      if (!isRunning(name(node))) {
        throw new FailedWorkException(name(node) + " is not running", "", "restart it");
      }
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new FailedWorkException("the cluster has been closed", folder().toString(), "");
    }
  }

  private void end(String name, Duration grace) {
    SupervisedProcess process = processes.get(name);
    if (process != null && grace.isZero()) {
      process.kill();
    } else if (process != null) {
      process.stop(grace);
    } else {
      recorded(name).ifPresent(identity -> ProcessIdentity.end(List.of(identity), grace.toNanos()));
    }
  }

  private LocalNode node(int index) {
    String name = name(index);
    ProcessIdentity process = recorded(name).orElse(new ProcessIdentity(0, 0));
    return new LocalNode(
        index,
        name,
        config.address(index),
        config.cqlPort(),
        config.jmxPort(index),
        Tokens.rack(index - 1, config.racks()),
        config.tokens().get(index - 1),
        process.pid(),
        process.startTicks(),
        new NodeFiles(config, index, folder()).log());
  }

  private String name(int node) {
    if (node < 1 || node > config.nodes()) {
      throw new BadRequestException(
          "there is no node " + node, "", "give a number from 1 to " + config.nodes());
    }
    return "n" + node;
  }

  private Optional<ProcessIdentity> recorded(String name) {
    return folder.state().children().stream()
        .filter(child -> child.name().equals(name))
        .map(RunState.Child::process)
        .findFirst();
  }

  private boolean isRunning(String name) {
    return recorded(name).filter(ProcessIdentity::isAlive).isPresent();
  }

  private List<Integer> runningNodes() {
    return IntStream.rangeClosed(1, config.nodes())
        .filter(i -> isRunning("n" + i))
        .boxed()
        .toList();
  }

  private List<ProcessIdentity> runningProcesses() {
    return folder.state().children().stream()
        .map(RunState.Child::process)
        .filter(ProcessIdentity::isAlive)
        .toList();
  }

  private static List<Path> jars(LocalCassandraConfig config) {
    return config
        .libFolder()
        .map(lib -> EngineLibs.jarsIn(lib, ENGINE))
        .orElseGet(() -> EngineLibs.find().jars(ENGINE));
  }

  private static void requireUnused(Path stateFolder) {
    if (RunState.existsIn(stateFolder)) {
      throw new BadRequestException(
          "it holds a local cluster already",
          stateFolder.toString(),
          "stop that one first: calando local stop cassandra");
    }
    if (Files.exists(stateFolder)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(stateFolder)) {
        if (files.iterator().hasNext()) {
          throw new BadRequestException(
              "the state folder is not empty", stateFolder.toString(), "name an empty folder");
        }
      } catch (IOException e) {
        throw new BadRequestException(
            "the state folder cannot be read: " + e, stateFolder.toString(), "name another folder");
      }
    }
  }
}
