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

/**
 * The RegionServers of a live HBase, the regions on them, and moves of regions. Servers go by
 * {@code HOST:PORT}, regions by the hash that ends their names. Thread safe.
 *
 * <p>Methods block; they throw {@link FailedWorkException} where HBase does not answer in time.
 */
public final class RegionServers implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final AsyncConnection connection;
  private final AsyncAdmin admin;
  private final Waits waits;
  private final String name;

  /**
   * A region that is open.
   *
   * @param id the hash that ends its name, which is the name of its folder too
   * @param table its table, with the namespace where that is not the default
   */
  public record Region(String id, String table) {
    /** Whether it is HBase's own: what finds all other regions, say. */
    public boolean isSystem() {
      return table.startsWith("hbase:");
    }
  }

  /**
   * What a server said of a region lately.
   *
   * @param region which
   * @param server {@code HOST:PORT}
   * @param startCode tells the server's process from the one before
   * @param requests rows read and written since the region was opened there
   * @param locality share of its files' bytes that HBase takes to be on the server's own host, 0 to
   *     1; servers that share a host cannot be told apart by it, and all copies there count
   */
  public record Load(
      Region region, String server, long startCode, long requests, double locality) {}

  private RegionServers(HBaseStoreConfig config, AsyncConnection connection) {
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

  /**
   * Connects; blocks until the master answers.
   *
   * @throws FailedWorkException if ZooKeeper or the master does not answer
   */
  public static RegionServers connect(HBaseStoreConfig config) {
    return new RegionServers(config, Connector.connect(config));
  }

  /** ZooKeeper's servers, as the cluster's name. */
  public String name() {
    return name;
  }

  /** The servers that the master holds for live. */
  public Set<String> live() {
    return servers().keySet();
  }

  private Map<String, ServerName> servers() {
    Map<String, ServerName> live = new HashMap<>();
    // The list may name one that has just gone beside its next process: the newer is meant.
    waits.get(admin.getRegionServers(), "asking for the RegionServers").stream()
        .sorted(Comparator.comparingLong(ServerName::getStartCode))
        .forEach(server -> live.put(address(server), server));
    return live;
  }

  private static String address(ServerName server) {
    return server.getHostname() + ":" + server.getPort();
  }

  /** The regions that a live server itself says to have open; none if it is not live. */
  public List<Region> regions(String server) {
    ServerName found = servers().get(server);
    if (found == null) {
      return List.of();
    }
    return waits.get(admin.getRegions(found), "asking " + server + " for its regions").stream()
        .map(RegionServers::region)
        .sorted(Comparator.comparing(Region::id))
        .toList();
  }

  private static Region region(RegionInfo info) {
    return new Region(info.getEncodedName(), info.getTable().getNameAsString());
  }

  /** Regions that are being opened or closed, or got stuck in it, and on which server. */
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

  /** What all live servers said of their regions; as old as their last word to the master. */
  public List<Load> loads() {
    ClusterMetrics metrics =
        waits.get(
            admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS)),
            "asking for the servers' load");
    List<Load> loads = new ArrayList<>();
    for (ServerMetrics server : metrics.getLiveServerMetrics().values()) {
      ServerName from = server.getServerName();
      for (RegionMetrics region : server.getRegionMetrics().values()) {
        byte[] full = region.getRegionName();
        loads.add(
            new Load(
                new Region(
                    RegionInfo.encodeRegionName(full), RegionInfo.getTable(full).getNameAsString()),
                address(from),
                from.getStartCode(),
                region.getReadRequestCount() + region.getWriteRequestCount(),
                Math.min(1, region.getDataLocality())));
      }
    }
    return loads;
  }

  /**
   * Moves regions, all at once, and waits for the end of each. A region is closed for a moment;
   * clients ask again and find it.
   *
   * @param targets servers by region
   * @return what went wrong, in words, by region: a region that is gone or moves already, a server
   *     that is not live
   */
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

  /** Whether the master may move regions to balance the servers. */
  public boolean balancer() {
    return waits.get(admin.isBalancerEnabled(), "asking for the balancer");
  }

  /** Has the master balance or not; moves that it has begun are over on return. */
  public void balancer(boolean on) {
    var unused = waits.get(admin.balancerSwitch(on, true), "switching the balancer");
  }

  /** Servers, live or not, that get no regions by the master's own choice. */
  public Set<String> drained() {
    return waits
        .get(admin.listDecommissionedRegionServers(), "asking for draining servers")
        .stream()
        .map(RegionServers::address)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Has the master give live servers no regions by its own choice; those that they have stay. */
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

  /** Takes {@link #drain} back, also of processes that have ended since. */
  public void undrain(Collection<String> servers) {
    for (ServerName marked :
        waits.get(admin.listDecommissionedRegionServers(), "asking for draining servers")) {
      if (servers.contains(address(marked))) {
        waits.done(
            admin.recommissionRegionServer(marked, List.of()), "ending the draining of " + marked);
      }
    }
  }

  /** Has a live server begin a new log, on the DataNodes that serve now. */
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
