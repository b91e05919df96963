package org.calando.engine.cassandra;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.calando.control.Patience;
import org.calando.core.BadRequestException;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.policy.gear.GearModel;
import org.calando.engine.InventorySpec;
import org.calando.engine.Target;
import org.calando.gears.rack.RackMeans;
import org.calando.http.Credentials;
import org.calando.kept.LocalServer;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalNode;
import org.calando.local.process.RunState;
import org.calando.power.Ticker;
import org.calando.power.onoff.Lookout;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.ProcessSwitch;
import org.calando.power.onoff.SwitchBoard;
import org.calando.power.onoff.SwitchTimes;
import org.calando.power.onoff.VerifiedSwitch;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.gear.JmxServers;

/** The racks of a cluster of the user's own, as shifts work with them. Stateless. */
public final class OwnRacks {
  /** One for each cluster, however it is named. */
  private static final String FILES = "racks-*.json";

  private static final String LOOPBACK = "127.0.0.1";
  private static final int JMX_PORT = 7199;
  private static final Duration KNOCK = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofSeconds(1);

  /** Hints are in files that are being written within this, where nobody has set it otherwise. */
  private static final Duration HINTS_FLUSH = Duration.ofSeconds(10);

  /** Those files are to be sent, and reported, within ten seconds. */
  private static final Duration HINTS_CLOSE = Duration.ofSeconds(11);

  private OwnRacks() {}

  /**
   * Of a cluster that {@code calando local start} left running; its switches are its processes, and
   * it is asked as Calando's own user where it has users.
   *
   * @param named options of the commands that name it
   * @param news takes lines for people, from any thread
   */
  public static RackMeans local(
      LocalCassandra cluster, KeptCopies keeps, String named, Consumer<String> news) {
    Map<String, Endpoint> jmx = new LinkedHashMap<>();
    Map<String, PowerSwitch> switches = new TreeMap<>();
    for (LocalNode node : cluster.nodes()) {
      jmx.put(node.name(), new Endpoint(LOOPBACK, node.jmxPort()));
      switches.put(
          node.name(),
          new VerifiedSwitch(
              new ProcessSwitch(new LocalServer(cluster, node.name())),
              // Not the port of clients, which are kept off a node that comes back.
              Optional.of(Lookout.port(LOOPBACK, node.jmxPort(), KNOCK)),
              SwitchTimes.USUAL,
              Ticker.system()));
    }
    return means(
        new JmxServers(jmx, Optional.empty(), ClusterAccess.of(cluster).config()),
        switches,
        cluster.folder(),
        cluster.hintsFlush(),
        keeps,
        named,
        () -> LocalClusters.note(cluster),
        GearModel.PROCESS_OFF_SECONDS,
        news);
  }

  /**
   * By its inventory, beside which the state of its racks is kept; of a cluster that {@code calando
   * local start} left running, as {@link #local}.
   *
   * @param credentials of JMX, if it asks for any
   * @param clients how clients reach it
   * @param named options of the commands that name it
   * @param news takes lines for people, from any thread
   * @throws BadRequestException if a node's JMX is not known
   */
  public static RackMeans of(
      InventorySpec inventory,
      Optional<Credentials> credentials,
      CassandraStoreConfig clients,
      KeptCopies keeps,
      String named,
      Consumer<String> news) {
    if (RunState.existsIn(inventory.folder())) {
      return local(LocalCassandra.attach(inventory.folder()), keeps, named, news);
    }
    Map<String, Endpoint> jmx = new LinkedHashMap<>();
    Map<String, PowerSwitch> switches = new TreeMap<>();
    for (InventorySpec.Node node : inventory.nodes()) {
      String address =
          node.jmxAddress()
              .orElseThrow(
                  () ->
                      new BadRequestException(
                          node.jmx().isPresent()
                              ? "its agent reads figures over its JMX and sets knobs, and drains"
                                  + " and repairs nothing"
                              : "has no jmx, over which racks are drained and verified",
                          "node " + node.name(),
                          "write jmx: \"HOST:PORT\" of the node itself; its switch may be its"
                              + " agent's"));
      jmx.put(node.name(), Endpoint.parse(address, JMX_PORT));
      node.powerSwitch()
          .ifPresent(
              spec ->
                  switches.put(
                      node.name(),
                      spec.verified(
                          node.name(),
                          Optional.of(
                              Lookout.port(
                                  Endpoint.parse(address, JMX_PORT).host(),
                                  Endpoint.parse(address, JMX_PORT).port(),
                                  KNOCK)),
                          Ticker.system())));
    }
    return means(
        new JmxServers(jmx, credentials, clients),
        switches,
        inventory.folder(),
        HINTS_FLUSH,
        keeps,
        named,
        () -> {},
        inventory.offSeconds(),
        news);
  }

  /** Ids of the processes of a cluster that {@code calando local start} left running, by node. */
  static Map<String, List<Long>> processes(InventorySpec inventory) {
    return RunState.existsIn(inventory.folder())
        ? processes(LocalCassandra.attach(inventory.folder()))
        : Map.of();
  }

  /** The same of one on this machine. */
  static Map<String, List<Long>> processes(LocalCassandra cluster) {
    Map<String, List<Long>> processes = new TreeMap<>();
    cluster.nodes().forEach(node -> processes.put(node.name(), List.of(node.pid())));
    return processes;
  }

  /** Nodes with the processes that they have now, where that is known. */
  static List<Target.Node> withProcesses(List<Target.Node> nodes, InventorySpec inventory) {
    return Target.Node.with(nodes, processes(inventory));
  }

  /**
   * Refuses nodes that may go off and name a process that nobody finds again once they come back.
   *
   * @throws BadRequestException naming the first
   */
  static void requireFollowed(InventorySpec inventory, Set<String> mayBeOff) {
    Set<String> known = processes(inventory).keySet();
    for (InventorySpec.Node node : inventory.nodes()) {
      if (mayBeOff.contains(node.name())
          && node.pid().isPresent()
          && !known.contains(node.name())) {
        throw new BadRequestException(
            "its process changes when it returns, and the new one is not known",
            "node " + node.name(),
            "remove its pid, or use the inventory of ./calando local start");
      }
    }
  }

  /**
   * Names of nodes of an inventory, by what files say of its racks; asks no node.
   *
   * @param named names those of a file, of all nodes
   * @throws org.calando.core.FailedWorkException if a file cannot be read
   */
  static Set<String> ofFiles(
      InventorySpec inventory, BiFunction<Path, List<String>, List<String>> named) {
    return ofFiles(
        inventory.folder(),
        inventory.nodes().stream().map(InventorySpec.Node::name).toList(),
        named);
  }

  /** The same of nodes whose racks' state is kept in a folder. */
  static Set<String> ofFiles(
      Path folder, List<String> names, BiFunction<Path, List<String>, List<String>> named) {
    Set<String> found = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, FILES)) {
      for (Path file : files) {
        found.addAll(named.apply(file, names));
      }
    } catch (IOException | DirectoryIteratorException e) {
      // There is no such folder, or nobody may look into it: nothing was ever ordered from here.
      return found;
    }
    return found;
  }

  private static RackMeans means(
      JmxServers servers,
      Map<String, PowerSwitch> switches,
      Path folder,
      Duration hintsFlush,
      KeptCopies keeps,
      String named,
      Runnable changed,
      double offSeconds,
      Consumer<String> news) {
    Patience usual = Patience.usual();
    Patience patience =
        new Patience(
            POLL, hintsFlush.plus(HINTS_CLOSE), usual.service(), usual.power(), usual.transfer());
    String own = servers.target().replaceAll("[^\\w.-]", "_");
    Path file = folder.resolve(FILES.replace("*", own));
    return new RackMeans(
        servers,
        new SwitchBoard(switches, usual.telling(), news),
        file,
        keeps,
        patience,
        named,
        changed,
        offSeconds);
  }
}
