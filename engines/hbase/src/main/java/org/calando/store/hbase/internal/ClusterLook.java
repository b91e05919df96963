package org.calando.store.hbase.internal;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.ServerName;
import org.calando.store.hbase.HBaseClusterState;
import org.calando.store.hbase.HBaseServer;

/** Reads what the master tells of its cluster. Stateless. */
public final class ClusterLook {
  private ClusterLook() {}

  /** What the master is to be asked for: no loads of servers and regions, which may be many. */
  public static EnumSet<Option> options() {
    return EnumSet.of(
        Option.HBASE_VERSION,
        Option.MASTER,
        Option.SERVERS_NAME,
        Option.DEAD_SERVERS,
        Option.REGIONS_IN_TRANSITION,
        Option.BALANCER_ON);
  }

  /** The state in an answer to {@link #options}. */
  public static HBaseClusterState of(ClusterMetrics told) {
    return new HBaseClusterState(
        String.valueOf(told.getHBaseVersion()),
        Optional.ofNullable(told.getMasterName()).map(ClusterLook::server),
        servers(told.getServersName()),
        servers(told.getDeadServerNames()),
        told.getRegionStatesInTransition().size(),
        Boolean.TRUE.equals(told.getBalancerOn()));
  }

  /** The RegionServers that live, by names that tell a server that has been started again. */
  public static Set<String> starts(ClusterMetrics told) {
    return told.getServersName().stream()
        .map(ServerName::getServerName)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static List<HBaseServer> servers(Collection<ServerName> names) {
    return names.stream().sorted().map(ClusterLook::server).toList();
  }

  private static HBaseServer server(ServerName name) {
    return new HBaseServer(name.getHostname(), name.getPort());
  }
}
