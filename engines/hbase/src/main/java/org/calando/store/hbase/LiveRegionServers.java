package org.calando.store.hbase;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.RegionState;
import org.calando.core.FailedWorkException;
import org.calando.store.hbase.internal.Connector;
import org.calando.store.hbase.internal.Waits;
import org.jspecify.annotations.Nullable;

/** Those of an HBase that is connected. */
final class LiveRegionServers implements RegionServers {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final AsyncConnection connection;
  private final AsyncAdmin admin;
  private final Waits waits;
  private final String name;

  private LiveRegionServers(HBaseStoreConfig config, AsyncConnection connection) {
    this.connection = connection;
    this.name = String.join(",", config.quorum());
    this.waits = new Waits(TIMEOUT, name);
    this.admin =
        connection
            .getAdminBuilder()
            .setOperationTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
            .setRpcTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
            .build();
  }

  static RegionServers connect(HBaseStoreConfig config) {
    return new LiveRegionServers(config, Connector.connect(config));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<String> live() {
    return servers().keySet();
  }

  private Map<String, ServerName> servers() {
    return byAddress(waits.get(admin.getRegionServers(), "asking for the RegionServers"));
  }

  private static Map<String, ServerName> byAddress(Collection<ServerName> servers) {
    Map<String, ServerName> live = new HashMap<>();
    // The list may name one that has just gone beside its next process: the newer is meant.
    servers.stream()
        .sorted(Comparator.comparingLong(ServerName::getStartCode))
        .forEach(server -> live.put(address(server), server));
    return live;
  }

  private static String address(ServerName server) {
    return server.getHostname() + ":" + server.getPort();
  }

  @Override
  public List<Region> regions(String server) {
    return regions(server, TIMEOUT);
  }

  @Override
  public List<Region> regions(String server, Duration within) {
    // The master's answer and the server's: one wait for both.
    CompletableFuture<List<RegionInfo>> answer =
        admin.getRegionServers().thenCompose(servers -> regions(byAddress(servers).get(server)));
    return new Waits(within, name)
        .get(answer, "asking " + server + " for its regions").stream()
            .map(LiveRegionServers::region)
            .sorted(Comparator.comparing(Region::id))
            .toList();
  }

  private CompletableFuture<List<RegionInfo>> regions(@Nullable ServerName server) {
    return server == null ? CompletableFuture.completedFuture(List.of()) : admin.getRegions(server);
  }

  private static Region region(RegionInfo info) {
    return new Region(info.getEncodedName(), info.getTable().getNameAsString());
  }

  @Override
  public Map<String, String> inTransition() {
    ClusterMetrics metrics =
        waits.get(
            admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.REGIONS_IN_TRANSITION)),
            "asking for regions in transition");
    Map<String, String> servers = new HashMap<>();
    for (RegionState state : metrics.getRegionStatesInTransition()) {
      ServerName server = state.getServerName();
      servers.put(state.getRegion().getEncodedName(), server == null ? "" : address(server));
    }
    return servers;
  }

  @Override
  public List<Report> reports() {
    ClusterMetrics metrics =
        waits.get(
            admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS)),
            "asking for the servers' load");
    List<Report> reports = new ArrayList<>();
    for (ServerMetrics server : metrics.getLiveServerMetrics().values()) {
      ServerName from = server.getServerName();
      List<Load> loads = new ArrayList<>();
      for (RegionMetrics region : server.getRegionMetrics().values()) {
        byte[] full = region.getRegionName();
        loads.add(
            new Load(
                new Region(
                    RegionInfo.encodeRegionName(full), RegionInfo.getTable(full).getNameAsString()),
                region.getReadRequestCount(),
                region.getWriteRequestCount(),
                Math.min(1, region.getDataLocality())));
      }
      reports.add(
          new Report(address(from), from.getStartCode(), server.getReportTimestamp(), loads));
    }
    return reports;
  }

  @Override
  public Map<String, String> move(Map<String, String> targets) {
    Map<String, ServerName> live = servers();
    Map<String, CompletableFuture<Void>> moves = new HashMap<>();
    Map<String, String> failed = new HashMap<>();
    targets.forEach(
        (region, server) -> {
          ServerName target = live.get(server);
          if (target == null) {
            failed.put(region, server + " is not live");
          } else {
            byte[] id = region.getBytes(StandardCharsets.UTF_8);
            moves.put(region, admin.move(id, target));
          }
        });
    moves.forEach(
        (region, move) -> {
          try {
            waits.done(move, "moving region " + region);
          } catch (FailedWorkException e) {
            failed.put(region, String.valueOf(e.getMessage()));
          }
        });
    return failed;
  }

  @Override
  public boolean balancer() {
    return waits.get(admin.isBalancerEnabled(), "asking for the balancer");
  }

  @Override
  public void balancer(boolean on) {
    var unused = waits.get(admin.balancerSwitch(on, true), "switching the balancer");
  }

  @Override
  public Set<String> drained() {
    return waits
        .get(admin.listDecommissionedRegionServers(), "asking for draining servers")
        .stream()
        .map(LiveRegionServers::address)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public void drain(Collection<String> servers) {
    List<ServerName> found =
        servers().entrySet().stream()
            .filter(entry -> servers.contains(entry.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    if (!found.isEmpty()) {
      waits.done(admin.decommissionRegionServers(found, false), "draining " + servers);
    }
  }

  @Override
  public void undrain(Collection<String> servers) {
    for (ServerName marked :
        waits.get(admin.listDecommissionedRegionServers(), "asking for draining servers")) {
      if (servers.contains(address(marked))) {
        waits.done(
            admin.recommissionRegionServer(marked, List.of()), "ending the draining of " + marked);
      }
    }
  }

  @Override
  public void rollLog(String server) {
    ServerName found = servers().get(server);
    if (found != null) {
      waits.done(admin.rollWALWriter(found), "having " + server + " begin a new log");
    }
  }

  @Override
  public void close() {
    Connector.close(connection);
  }
}
