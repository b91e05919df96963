package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.calando.control.Patience;
import org.calando.core.FailedWorkException;
import org.calando.store.hbase.RegionServers;
import org.calando.store.hbase.RegionServers.Region;

/*
 * What is to be moved is found out anew in each round, as regions split, tables are made and dropped, and moves fail while
 * it goes on; so it makes no difference whether a killed process did half of it. HBase's own tables go last, by
 * themselves: whoever looks for a region asks them.
 */
/** Moves regions off servers, and back. Not thread safe. */
final class Mover {
  /** At a time; each is closed for a moment. */
  private static final int AT_ONCE = 8;

  private final IdleMeans means;
  private final RegionServers regions;

  Mover(IdleMeans means) {
    this.means = means;
    this.regions = means.regions();
  }

  /** Which regions are on which live server now, by server. */
  static Map<String, List<Region>> places(IdleMeans means) {
    Map<String, List<Region>> places = new TreeMap<>();
    means.live().forEach(server -> places.put(server, means.regions().regions(server)));
    return places;
  }

  /** Whether servers have no regions, nor get any. */
  boolean areEmpty(Collection<String> servers) {
    return regions.inTransition().values().stream().noneMatch(servers::contains)
        && servers.stream().allMatch(server -> regions.regions(server).isEmpty());
  }

  /**
   * Moves all regions off servers.
   *
   * @param staying servers that may get them
   */
  void away(Collection<String> servers, Collection<String> staying) throws InterruptedException {
    LocalBytes local = LocalBytes.of(means);
    until(
        () -> areEmpty(servers),
        () -> {
          Map<String, List<Region>> now = places(means);
          List<Region> going = new ArrayList<>();
          servers.forEach(server -> going.addAll(now.getOrDefault(server, List.of())));
          now.keySet().retainAll(staying);
          return moveSome(going, targets(going, now, local));
        },
        "still on " + String.join(", ", servers));
  }

  /** The servers of nodes that get regions: an operator's draining ones do not. */
  List<String> mayGet(List<IdleNode> nodes) {
    Set<String> drained = regions.drained();
    return nodes.stream()
        .map(IdleNode::server)
        .filter(server -> !drained.contains(server))
        .toList();
  }

  /** Where regions would go. */
  Map<String, String> targets(
      List<Region> going, Map<String, List<Region>> staying, LocalBytes local) {
    if (staying.isEmpty()) {
      throw new FailedWorkException(
          "no RegionServer is live and not drained that could take regions",
          regions.name(),
          "start one, or end its draining");
    }
    Map<String, Integer> counts = new TreeMap<>();
    staying.forEach((server, held) -> counts.put(server, held.size()));
    Map<String, String> beside = new HashMap<>();
    means.nodes().forEach(node -> beside.put(node.server(), node.dataNode()));
    return RegionMoves.choose(
        going.stream().map(Region::id).toList(),
        counts,
        (region, server) -> local.on(region, beside.getOrDefault(server, "")));
  }

  /** Whether regions are where they belong, as far as they are anywhere. */
  boolean areHome(Map<String, String> homes) {
    return regions.inTransition().keySet().stream().noneMatch(homes::containsKey)
        && lost(homes).isEmpty();
  }

  /** Moves regions to servers; those that are no more are left alone. */
  void home(Map<String, String> homes) throws InterruptedException {
    until(() -> areHome(homes), () -> moveSome(lost(homes), homes), "not yet back where they were");
  }

  /** Regions that are elsewhere. */
  private List<Region> lost(Map<String, String> homes) {
    List<Region> lost = new ArrayList<>();
    places(means)
        .forEach(
            (server, held) ->
                held.stream()
                    .filter(region -> !homes.getOrDefault(region.id(), server).equals(server))
                    .forEach(lost::add));
    return lost;
  }

  /** Some of them: HBase's own only if no others are left. */
  private Map<String, String> moveSome(List<Region> all, Map<String, String> targets) {
    boolean others = all.stream().anyMatch(region -> !region.isSystem());
    Map<String, String> some = new LinkedHashMap<>();
    all.stream()
        .filter(region -> !others || !region.isSystem())
        .limit(AT_ONCE)
        .forEach(region -> some.put(region.id(), targets.getOrDefault(region.id(), "")));
    return some.isEmpty() ? Map.of() : regions.move(some);
  }

  /** A round of moves; returns what went wrong. */
  private interface Round {
    Map<String, String> move();
  }

  private void until(BooleanSupplier done, Round round, String missing)
      throws InterruptedException {
    Patience patience = means.dataNodes().patience();
    Map<String, String> failed = new TreeMap<>();
    patience.await(
        means.dataNodes().news(),
        patience.service(),
        () -> {
          boolean is = done.getAsBoolean();
          if (!is) {
            failed.clear();
            failed.putAll(round.move());
          }
          return is;
        },
        () -> "regions are " + missing + " " + failed.values(),
        regions.name(),
        "see the master's log for why they do not move");
  }
}
