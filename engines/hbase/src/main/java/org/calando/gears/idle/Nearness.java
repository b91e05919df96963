package org.calando.gears.idle;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.calando.store.hbase.RegionServers.Region;

/**
 * How much of what a server's regions hold is on the DataNode beside it: bytes by the NameNode, 0
 * to 1; 1 where there are none. Immutable.
 *
 * @param all of all regions
 * @param byNode of the regions on each node's server, by the node's name; of live ones only
 */
public record Nearness(double all, Map<String, Double> byNode) {
  /** Copies the map. */
  public Nearness {
    byNode = Map.copyOf(byNode);
  }

  /** As it is now. */
  public static Nearness of(IdleMeans means) {
    return of(means, LocalBytes.of(means), Mover.places(means));
  }

  static Nearness of(IdleMeans means, LocalBytes local, Map<String, List<Region>> places) {
    Map<String, String> all = new HashMap<>();
    Map<String, Double> byNode = new HashMap<>();
    for (IdleNode node : means.nodes()) {
      List<Region> held = places.get(node.server());
      if (held != null) {
        Map<String, String> beside = new HashMap<>();
        held.forEach(region -> beside.put(region.id(), node.dataNode()));
        byNode.put(node.name(), local.share(beside));
        all.putAll(beside);
      }
    }
    return new Nearness(local.share(all), byNode);
  }
}
