package org.calando.store.hbase;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.core.CalandoException;
import org.calando.core.observe.ClientRequests;
import org.calando.core.time.DaemonThread;
import org.calando.store.hbase.RegionServers.Report;

/*
 * RegionServers report to the master each 3 s (hbase.regionserver.msginterval), and all that is asked is the master: their
 * own pages may be elsewhere, or off. A row of a batch and a row of a scan are a request each, as a region counts them.
 */
/**
 * What clients ask of RegionServers: rows of all tables but HBase's own that they read and write,
 * as they report them to the master. Thread safe.
 */
public final class HBaseRequests implements ClientRequests {
  /** A life of its own: that of nodes that answer nothing. */
  private static final long NONE = 0;

  private final RegionServers servers;
  private final Set<String> serving;
  private final Set<String> others;
  private final Function<HBaseServer, Optional<String>> node;
  private final ExecutorService executor = DaemonThread.executor("calando-hbase-requests");
  private final RowCounts rows = new RowCounts(); // of the executor's thread
  private volatile List<String> problems = List.of();

  /**
   * Asks a cluster that is connected.
   *
   * @param servers is closed with this
   * @param serving names of the nodes that run a RegionServer
   * @param others names of those that do not: they answer nothing
   * @param node the name of the node that runs a server; empty if none does
   */
  HBaseRequests(
      RegionServers servers,
      Collection<String> serving,
      Collection<String> others,
      Function<HBaseServer, Optional<String>> node) {
    this.servers = servers;
    this.serving = Set.copyOf(serving);
    this.others = Set.copyOf(others);
    this.node = node;
  }

  /**
   * Connects; blocks until the master answers.
   *
   * @param serving names of the nodes that run a RegionServer
   * @param others names of those that do not: they answer nothing
   * @param node the name of the node that runs a server; empty if none does
   * @throws CalandoException if ZooKeeper or the master does not answer
   */
  public static HBaseRequests connect(
      HBaseStoreConfig config,
      Collection<String> serving,
      Collection<String> others,
      Function<HBaseServer, Optional<String>> node) {
    return new HBaseRequests(RegionServers.connect(config), serving, others, node);
  }

  @Override
  public CompletionStage<Counts> ask() {
    return CompletableFuture.supplyAsync(this::look, executor);
  }

  private Counts look() {
    try {
      List<Report> reports = servers.reports();
      long now = System.nanoTime();
      Map<String, Count> nodes = new HashMap<>();
      rows.look(reports, now)
          .forEach((server, count) -> node(server).ifPresent(its -> nodes.put(its, count)));
      Set<String> off = nodes.keySet().containsAll(serving) ? Set.of() : off(reports);
      Stream.concat(others.stream(), off.stream())
          .forEach(its -> nodes.put(its, new Count(NONE, now, 0, 0)));
      problems = problems(reports, nodes.keySet());
      return Counts.of(nodes);
    } catch (CalandoException e) {
      problems = List.of("no requests: " + e.getMessage());
      return Counts.UNKNOWN;
    }
  }

  private Optional<String> node(String server) {
    int colon = server.lastIndexOf(':');
    return node.apply(
        new HBaseServer(server.substring(0, colon), Integer.parseInt(server.substring(colon + 1))));
  }

  /** A server that its operator had the master drain, and that does not live, is off by order. */
  private Set<String> off(List<Report> reports) {
    Set<String> drained = new TreeSet<>(servers.drained());
    reports.forEach(report -> drained.remove(report.server()));
    return drained.stream().map(this::node).flatMap(Optional::stream).collect(Collectors.toSet());
  }

  private List<String> problems(List<Report> reports, Set<String> known) {
    Stream<String> unlisted =
        reports.stream()
            .map(Report::server)
            .filter(server -> node(server).isEmpty())
            .map(server -> server + " is not listed: its requests are not counted");
    Stream<String> silent =
        serving.stream()
            .filter(its -> !known.contains(its))
            .map(its -> its + " has reported no requests since the last look");
    return Stream.concat(unlisted, silent).sorted().toList();
  }

  @Override
  public List<String> problems() {
    return problems;
  }

  @Override
  public void close() {
    executor.shutdownNow();
    servers.close();
  }
}
