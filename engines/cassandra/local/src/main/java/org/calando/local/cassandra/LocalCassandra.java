package org.calando.local.cassandra;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;
import org.calando.local.process.SecretFiles;
import org.calando.local.relay.LinkCounters;
import org.calando.local.relay.LinkDelays;
import org.calando.local.relay.LiveDelays;

/**
 * A real Cassandra cluster on the loopback interface, a process per node. Thread safe; {@link
 * #close} may be called while another method waits, which then fails.
 *
 * <p>A temporary cluster dies with this process, however this process ends, and leaves nothing
 * behind. So does one with a state folder until {@link #keep} is called; from then on it runs on,
 * and {@link #attach} finds it again.
 */
public final class LocalCassandra implements AutoCloseable {
  /** The engine's name in messages, folders and files. */
  public static final String ENGINE = "cassandra";

  /** The data centre of all nodes, where nothing else is asked for. */
  public static final String DATA_CENTRE = "dc1";

  private static final Duration STOP_GRACE = Duration.ofSeconds(20);

  private final LocalCassandraConfig config;
  private final ClusterProcesses processes;

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

  private LocalCassandra(LocalCassandraConfig config, RunFolder folder) {
    this.config = config;
    this.processes = new ClusterProcesses(config, folder);
  }

  /**
   * Refuses a cluster that could not start on this machine now; changes nothing.
   *
   * @throws BadRequestException if ports, memory, Java or server jars are missing
   */
  public static void check(LocalCassandraConfig config) {
    Preflight.check(config);
  }

  /**
   * Starts a cluster, all nodes at once, and waits until every node sees every node up. It dies
   * with this process, also with a state folder, until {@link #keep}.
   *
   * @throws BadRequestException if ports, memory, Java or server jars are missing: nothing has been
   *     started then
   * @throws FailedWorkException if a node does not come up: everything has been removed again then
   */
  public static LocalCassandra start(LocalCassandraConfig config) {
    config.stateFolder().ifPresent(Preflight::requireUnused);
    Preflight.check(config);
    RunFolder folder = RunFolder.of(config.stateFolder(), ENGINE, ConfigJson.write(config));
    LocalCassandra cluster = new LocalCassandra(config, folder);
    cluster.processes.guardAgainstCrash();
    try {
      cluster.makeSecrets();
      cluster.startProcesses();
    } catch (RuntimeException | Error e) {
      cluster.processes.discard();
      throw e;
    }
    return cluster;
  }

  /**
   * Lets a cluster with a state folder outlive this process; to be called when it is fit to be
   * left, its users made. Idempotent.
   *
   * @throws IllegalStateException if it is a temporary one
   * @throws FailedWorkException if it has been closed, for example because this process is to end
   */
  public void keep() {
    if (config.stateFolder().isEmpty()) {
      throw new IllegalStateException("a temporary cluster cannot be kept");
    }
    processes.keep();
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
      return new LocalCassandra(config, folder);
    } catch (IOException e) {
      throw RunFolder.missing(stateFolder, ENGINE);
    }
  }

  /** What the cluster looks like. */
  public LocalCassandraConfig config() {
    return config;
  }

  /** The run or state folder. */
  public Path folder() {
    return processes.folder();
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
        all.add(new NodeStatus(node, running, running && probe.acceptsCql(), process.started()));
      }
    }
    return all;
  }

  /**
   * Changes the links' delays. Bytes that are on their way keep theirs, and nothing overtakes them
   * where the new delay is shorter. A start of the whole cluster goes back to the configuration's.
   *
   * @throws BadRequestException if the cluster has no relay, or another number of nodes
   * @throws FailedWorkException if the cluster has been closed
   */
  public void linkDelays(LinkDelays delays) {
    if (config.linkDelays().isEmpty()) {
      throw new BadRequestException(
          "there is no relay between the nodes, so links cannot be delayed",
          folder().toString(),
          "start the cluster with a relay");
    }
    if (delays.nodes() != config.nodes()) {
      throw new BadRequestException(
          "link delays are for " + delays.nodes() + " nodes, not " + config.nodes(),
          "local cassandra",
          "give one row and one column per node");
    }
    LiveDelays.open(processes.delaysFile(), config.nodes()).set(delays);
  }

  /**
   * The links' delays as they are now, all 0 without a relay.
   *
   * @throws FailedWorkException if the cluster has been closed
   */
  public LinkDelays linkDelays() {
    return config.linkDelays().isEmpty()
        ? LinkDelays.uniform(config.nodes(), Duration.ZERO)
        : LiveDelays.open(processes.delaysFile(), config.nodes()).get();
  }

  /** The relay's counters of bytes per link; empty without a relay. */
  public Optional<LinkCounters> linkCounters() {
    return config
        .linkDelays()
        .map(delays -> LinkCounters.open(processes.countersFile(), config.nodes()));
  }

  /** Adds a listener that is told, from a thread of the JDK, of each process that ends unasked. */
  public void onUnexpectedExit(Consumer<ProcessExit> listener) {
    processes.onUnexpectedExit(listener);
  }

  /** Stops node i (1 to N) by SIGTERM, after 20 s by SIGKILL, and returns when it is gone. */
  public void stop(int node) {
    processes.end(name(node), STOP_GRACE);
  }

  /** Kills node i (1 to N) by SIGKILL and returns when it is gone. */
  public void kill(int node) {
    processes.end(name(node), Duration.ZERO);
  }

  /**
   * Starts a stopped or killed node i (1 to N) and waits until it and all running nodes see each
   * other up.
   *
   * @throws BadRequestException if it is running
   * @throws FailedWorkException if it does not come up in time
   */
  public void restart(int node) {
    launch(node);
    awaitUp(processes.runningNodes());
  }

  /**
   * Starts a stopped or killed node i (1 to N) and returns at once; {@link #acceptsCql} tells when
   * it serves.
   *
   * @throws BadRequestException if it is running
   */
  public void launch(int node) {
    if (processes.isRunning(name(node))) {
      throw new BadRequestException(name(node) + " is running", "", "stop it first");
    }
    processes.startNode(node);
  }

  /** Whether node i (1 to N) takes CQL connections, which it does last in its start. */
  public boolean acceptsCql(int node) {
    try (NodeProbe probe = new NodeProbe(config, node)) {
      return processes.isRunning(name(node)) && probe.acceptsCql();
    }
  }

  /**
   * Waits until every node of the cluster sees every node up.
   *
   * @throws FailedWorkException if it does not happen in time
   */
  public void awaitAllUp() {
    awaitUp(IntStream.rangeClosed(1, config.nodes()).boxed().toList());
  }

  /** Ends a cluster at once and removes its folder, unless it is kept: that runs on. Idempotent. */
  @Override
  public void close() {
    if (config.stateFolder().isEmpty() || processes.isGuarded()) {
      processes.discard();
    }
  }

  /** Ends every process of the cluster and removes its folder, also of one that was kept. */
  public void shutdown() {
    processes.discard();
  }

  /** The CA that signed the nodes' certificates, in PEM; empty without TLS. */
  public Optional<Path> caFile() {
    return config.tls() ? Optional.of(NodeCertificates.caFile(folder())) : Optional.empty();
  }

  /** A file with a random password for Calando's own user, mode 0600; empty without users. */
  public Optional<Path> passwordFile() {
    return config.auth() ? Optional.of(folder().resolve("calando.password")) : Optional.empty();
  }

  /** The same for the superuser. */
  public Optional<Path> superuserPasswordFile() {
    return config.auth() ? Optional.of(folder().resolve("superuser.password")) : Optional.empty();
  }

  private void makeSecrets() {
    try {
      for (Optional<Path> file : List.of(passwordFile(), superuserPasswordFile())) {
        if (file.isPresent()) {
          SecretFiles.write(file.get(), SecretFiles.randomPassword());
        }
      }
    } catch (IOException e) {
      throw new FailedWorkException(
          "passwords cannot be written: " + e, folder().toString(), "free space there", e);
    }
    if (config.tls()) {
      NodeCertificates.make(config, folder());
    }
  }

  private void startProcesses() {
    config.linkDelays().ifPresent(processes::startRelay);
    for (int node = 1; node <= config.nodes(); node++) {
      processes.startNode(node);
    }
    awaitAllUp();
  }

  private void awaitUp(List<Integer> nodes) {
    try (Readiness readiness = new Readiness(config, nodes)) {
      if (!readiness.await(() -> processes.requireAlive(nodes), config.startTimeout())) {
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

  private LocalNode node(int index) {
    String name = name(index);
    ProcessIdentity process = processes.recorded(name).orElse(new ProcessIdentity(0, 0));
    return new LocalNode(
        index,
        name,
        config.address(index),
        config.cqlPort(),
        config.jmxPort(index),
        config.dataCentres().get(index - 1),
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
}
