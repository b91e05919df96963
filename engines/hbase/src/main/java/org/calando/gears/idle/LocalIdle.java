package org.calando.gears.idle;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.calando.control.Patience;
import org.calando.core.BadRequestException;
import org.calando.gears.HdfsGears;
import org.calando.gears.LocalGears;
import org.calando.gears.NodeMeans;
import org.calando.gears.ShiftNews;
import org.calando.kept.LocalServer;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hbase.LocalHBaseNode;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.power.Ticker;
import org.calando.power.onoff.Lookout;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.ProcessSwitch;
import org.calando.power.onoff.SwitchTimes;
import org.calando.power.onoff.VerifiedSwitch;
import org.calando.store.hbase.HBaseStoreConfig;
import org.calando.store.hbase.RegionServers;
import org.calando.store.hdfs.HdfsAccess;
import org.calando.store.hdfs.HdfsCluster;

/** A local HBase whose servers sleep: RegionServer i and DataNode i are one node. */
public final class LocalIdle implements AutoCloseable {
  private static final String FILE = "idle.json";
  private static final String ROOT = "/hbase";
  private static final Duration KNOCK = Duration.ofSeconds(1);

  private final HdfsGears hdfs;
  private final RegionServers regions;
  private final IdleMeans means;

  private LocalIdle(HdfsGears hdfs, RegionServers regions, IdleMeans means) {
    this.hdfs = hdfs;
    this.regions = regions;
    this.means = means;
  }

  /**
   * Connects to a cluster.
   *
   * @param news hears of shifts
   * @throws BadRequestException if it has fewer DataNodes than RegionServers
   */
  public static LocalIdle open(LocalHBase cluster, ShiftNews news) {
    List<IdleNode> nodes = nodes(cluster);
    LocalHdfs below = cluster.hdfs();
    HdfsGears hdfs =
        HdfsGears.withoutLayout(
            HdfsCluster.open(
                HdfsAccess.of(below.uri())
                    .http(below.nameNodeHttp())
                    .hostsFile(below.hostsFile())
                    .build()),
            below.nodes().stream().map(LocalHdfsNode::transferAddress).toList());
    try {
      RegionServers regions =
          RegionServers.connect(HBaseStoreConfig.builder().quorum(cluster.quorum()).build());
      Patience patience = Patience.usual();
      NodeMeans servers = new NodeMeans(hdfs, switches(cluster), patience, news);
      NodeMeans dataNodes = new NodeMeans(hdfs, LocalGears.switches(below), patience, news);
      Path file = cluster.folder().resolve(FILE);
      return new LocalIdle(
          hdfs, regions, new IdleMeans(nodes, regions, servers, dataNodes, ROOT, file));
    } catch (RuntimeException | Error e) {
      hdfs.close();
      throw e;
    }
  }

  /**
   * Brings back all servers that are to be awake and do not run, with what they stored. Those that
   * sleep, and those that an unfinished plan has sleep, are left alone. It is for a cluster that
   * {@link LocalHBase#lacking} says cannot be asked; else {@link IdleShifter#wake} sees to them.
   *
   * @throws org.calando.core.FailedWorkException if they do not come up
   */
  public static void revive(LocalHBase cluster) {
    cluster.revive(mayBeAsleep(cluster));
  }

  /** Names of the nodes that are to sleep, or that an unfinished plan has sleep. */
  public static Set<String> mayBeAsleep(LocalHBase cluster) {
    return IdleShifter.mayBeAsleep(cluster.folder().resolve(FILE));
  }

  /** Names of the nodes of a cluster that are to sleep; asks none of its servers. */
  public static Set<String> asleep(LocalHBase cluster) {
    return IdleState.FILE.read(cluster.folder().resolve(FILE)).setting().off();
  }

  private static List<IdleNode> nodes(LocalHBase cluster) {
    List<LocalHdfsNode> dataNodes = cluster.hdfs().nodes();
    List<LocalHBaseNode> servers = cluster.nodes();
    if (dataNodes.size() < servers.size()) {
      throw new BadRequestException(
          "a RegionServer has no DataNode to be powered down with: "
              + servers.size()
              + " RegionServers, "
              + dataNodes.size()
              + " DataNodes",
          "local hbase",
          "start one with as many: ./calando local start hbase --set nodes=2");
    }
    List<IdleNode> nodes = new ArrayList<>();
    for (LocalHBaseNode server : servers) {
      nodes.add(
          new IdleNode(server.name(), at(server), dataNodes.get(nodes.size()).transferAddress()));
    }
    return nodes;
  }

  private static String at(LocalHBaseNode server) {
    return server.address() + ":" + server.port();
  }

  private static Map<String, PowerSwitch> switches(LocalHBase cluster) {
    Map<String, PowerSwitch> switches = new HashMap<>();
    for (LocalHBaseNode server : cluster.nodes()) {
      switches.put(
          at(server),
          new VerifiedSwitch(
              new ProcessSwitch(new LocalServer(cluster, server.name())),
              Optional.of(Lookout.port(server.address(), server.port(), KNOCK)),
              SwitchTimes.USUAL,
              Ticker.system()));
    }
    return switches;
  }

  /** What shifts work with. */
  public IdleMeans means() {
    return means;
  }

  @Override
  public void close() {
    try {
      regions.close();
    } finally {
      hdfs.close();
    }
  }
}
