package org.calando.gears.idle;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.calando.control.OffSetting;
import org.calando.core.BadRequestException;
import org.calando.gears.NodeMeans;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.hbase.RegionServers;

/**
 * What putting servers to sleep works with. Immutable; thread safe as its parts are.
 *
 * @param nodes all that have a RegionServer
 * @param regions the HBase
 * @param servers switches of the RegionServers, by {@link IdleNode#server}
 * @param dataNodes the HDFS below and the switches of its nodes, by {@link IdleNode#dataNode}
 * @param root folder of HBase in HDFS, absolute
 * @param path of the file that tells who sleeps; its journal lies beside it
 */
public record IdleMeans(
    List<IdleNode> nodes,
    RegionServers regions,
    NodeMeans servers,
    NodeMeans dataNodes,
    String root,
    Path path) {
  /** Copies the list. */
  public IdleMeans {
    nodes = List.copyOf(nodes);
  }

  /**
   * A node by its name.
   *
   * @throws BadRequestException if there is none
   */
  public IdleNode node(String name) {
    return nodes.stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new BadRequestException(
                    "there is no node '" + name + "'",
                    "--node",
                    "name one of "
                        + String.join(", ", nodes.stream().map(IdleNode::name).toList())));
  }

  /**
   * The RegionServers that live: the master holds one that has died for live until its session with
   * ZooKeeper ends, though its switch says that it is off.
   */
  Set<String> live() {
    Set<String> live = new TreeSet<>(regions.live());
    live.removeIf(server -> servers.power(server) == PowerSwitch.State.OFF);
    return live;
  }

  /** The RegionServers of nodes, by the nodes' names, in their order. */
  List<String> serversOf(Set<String> names) {
    return nodes.stream()
        .filter(node -> names.contains(node.name()))
        .map(IdleNode::server)
        .toList();
  }

  /** The DataNodes of nodes, by the nodes' names, in their order. */
  List<String> dataNodesOf(Set<String> names) {
    return nodes.stream()
        .filter(node -> names.contains(node.name()))
        .map(IdleNode::dataNode)
        .toList();
  }

  /** The nodes that are not among some, in their order. */
  List<IdleNode> others(Set<String> names) {
    List<IdleNode> others = new ArrayList<>(nodes);
    others.removeIf(node -> names.contains(node.name()));
    return others;
  }

  /** The DataNodes that are in maintenance while some nodes sleep. */
  Set<String> maintained(OffSetting setting) {
    return new TreeSet<>(dataNodesOf(setting.off()));
  }
}
