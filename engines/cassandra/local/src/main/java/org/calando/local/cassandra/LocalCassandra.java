package org.calando.local.cassandra;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.ConfigJson;
import org.calando.local.LocalCluster;
import org.calando.local.ServersPreflight;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;
import org.calando.local.process.SecretFiles;
import org.calando.local.process.SupervisedProcess;
import org.calando.local.relay.LinkCounters;
import org.calando.local.relay.LinkDelays;
import org.calando.local.relay.LiveDelays;
import org.calando.local.relay.RelayCommand;
import org.calando.local.relay.RelayMain;

/**
 * A real Cassandra cluster on the loopback interface, a process per node, and a relay between the
 * nodes if links have delays.
 */
public final class LocalCassandra extends LocalCluster<LocalCassandraConfig> {
  /** The engine's name in messages, folders and files. */
  public static final String ENGINE = "cassandra";

  /** The data centre of all nodes, where nothing else is asked for. */
  public static final String DATA_CENTRE = "dc1";

  private static final Engine KIND = new Engine(ENGINE, Duration.ofSeconds(20), "system.log");
  private static final String RELAY = "relay";
  private static final Duration RELAY_TIMEOUT = Duration.ofSeconds(30);

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

  private LocalCassandra(RunFolder folder) {
    super(config(folder), KIND, folder);
  }

  private static LocalCassandraConfig config(RunFolder folder) {
    return LocalCassandraConfig.read(folder.cluster(), folder.stateFolder());
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
    ServersPreflight.requireUnused(config, ENGINE);
    Preflight.check(config);
    return start(config, KIND, ConfigJson.write(config), LocalCassandra::new);
  }

  /**
   * Finds a cluster that was started with a state folder.
   *
   * @throws BadRequestException if the folder holds none
   */
  public static LocalCassandra attach(Path stateFolder) {
    return attach(stateFolder, KIND, LocalCassandra::new);
  }

  /** The nodes as they are now, n1 first. */
  public List<LocalNode> nodes() {
    return IntStream.rangeClosed(1, config().nodes()).mapToObj(this::node).toList();
  }

  /** The state of each node, n1 first. */
  public List<NodeStatus> status() {
    List<NodeStatus> all = new ArrayList<>();
    for (LocalNode node : nodes()) {
      ProcessIdentity process = node.process();
      all.add(new NodeStatus(node, process.isAlive(), isUp(node.index()), process.started()));
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
    if (config().linkDelays().isEmpty()) {
      throw new BadRequestException(
          "there is no relay between the nodes, so links cannot be delayed",
          folder().toString(),
          "start the cluster with a relay");
    }
    if (delays.nodes() != config().nodes()) {
      throw new BadRequestException(
          "link delays are for " + delays.nodes() + " nodes, not " + config().nodes(),
          "local cassandra",
          "give one row and one column per node");
    }
    LiveDelays.open(delaysFile(), config().nodes()).set(delays);
  }

  /**
   * The links' delays as they are now, all 0 without a relay.
   *
   * @throws FailedWorkException if the cluster has been closed
   */
  public LinkDelays linkDelays() {
    return config().linkDelays().isEmpty()
        ? LinkDelays.uniform(config().nodes(), Duration.ZERO)
        : LiveDelays.open(delaysFile(), config().nodes()).get();
  }

  /** The file of the relay's counters of bytes per link. */
  Path countersFile() {
    return folder().resolve("relay.counters");
  }

  private Path delaysFile() {
    return folder().resolve("relay.delays");
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
    awaitUp(IntStream.rangeClosed(1, config().nodes()).filter(this::isRunning).boxed().toList());
  }

  /**
   * Whether a node takes CQL connections, which it does last in its start; the relay if it runs.
   */
  @Override
  public boolean isUp(String server) {
    if (server.equals(RELAY)) {
      return isRunning(server);
    }
    try (NodeProbe probe = new NodeProbe(config(), number(server))) {
      return isRunning(server) && probe.acceptsCql();
    }
  }

  /**
   * Waits until every node of the cluster sees every node up.
   *
   * @throws FailedWorkException if it does not happen in time
   */
  public void awaitAllUp() {
    awaitUp(IntStream.rangeClosed(1, config().nodes()).boxed().toList());
  }

  /** The CA that signed the nodes' certificates, in PEM; empty without TLS. */
  public Optional<Path> caFile() {
    return config().tls() ? Optional.of(NodeCertificates.caFile(folder())) : Optional.empty();
  }

  /** How long hints are in nodes' memory only, at most. */
  public Duration hintsFlush() {
    return IntStream.rangeClosed(1, config().nodes())
        .mapToObj(node -> files(node).hintsFlush())
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** A file with a random password for Calando's own user, mode 0600; empty without users. */
  public Optional<Path> passwordFile() {
    return config().auth() ? Optional.of(folder().resolve("calando.password")) : Optional.empty();
  }

  /** The same for the superuser. */
  public Optional<Path> superuserPasswordFile() {
    return config().auth() ? Optional.of(folder().resolve("superuser.password")) : Optional.empty();
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
    if (config().tls()) {
      NodeCertificates.make(config(), folder());
    }
  }

  @Override
  public List<String> servers() {
    return nodeNames();
  }

  @Override
  protected void startServers() {
    makeSecrets();
    config().linkDelays().ifPresent(this::startRelay);
    nodeNames().forEach(this::startServer);
    awaitAllUp();
  }

  /** Starts the relay and waits until it listens. */
  private void startRelay(LinkDelays delays) {
    Path counters = countersFile();
    RunFolder.removeTree(counters);
    LiveDelays.create(delaysFile(), delays);
    List<String> command =
        RelayCommand.of(
            isTethered(),
            RelayMain.arguments(
                config().nodes(),
                config().block(),
                config().storagePort(),
                delaysFile(),
                counters));
    Path log = folder().resolve("relay.log");
    processes()
        .launch(() -> new SupervisedProcess.Spec(RELAY, command, folder(), log, isTethered()))
        .awaitReady(() -> LinkCounters.isReady(counters, config().nodes()), RELAY_TIMEOUT);
  }

  @Override
  protected void startServer(String server) {
    NodeFiles files = files(number(server));
    var unused =
        launch(
            server,
            server,
            true,
            () -> {
              files.write();
              return NodeCommand.of(config(), files);
            });
  }

  private NodeFiles files(int node) {
    return new NodeFiles(config(), node, folder());
  }

  private void awaitUp(List<Integer> nodes) {
    List<String> names = nodes.stream().map(this::name).toList();
    try (Readiness readiness = new Readiness(config(), nodes)) {
      if (!readiness.await(() -> processes().requireAlive(names), config().startTimeout())) {
        throw new FailedWorkException(
            "the cluster is not up after "
                + config().startTimeout().toSeconds()
                + " s: "
                + readiness.missing(),
            folder().toString(),
            "look into the nodes' system.log; on a slow machine allow more time");
      }
    }
  }

  private LocalNode node(int index) {
    String name = name(index);
    return new LocalNode(
        index,
        name,
        config().address(index),
        config().cqlPort(),
        config().jmxPort(index),
        config().dataCentres().get(index - 1),
        Tokens.rack(index - 1, config().racks()),
        config().tokens().get(index - 1),
        process(name),
        files(index).log());
  }
}
