package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.calando.gears.idle.IdleState.Shift;
import org.calando.gears.idle.IdleState.Sleeper;
import org.calando.store.hbase.RegionServers.Region;

/** The moves of regions that a shift would make, as regions are now. Not thread safe. */
final class PlannedMoves {
  private final IdleMeans means;
  private final Map<String, List<Region>> places;
  private final LocalBytes local;

  /**
   * Of a cluster as it is.
   *
   * @param places regions by server
   * @param local where their bytes are
   */
  PlannedMoves(IdleMeans means, Map<String, List<Region>> places, LocalBytes local) {
    this.means = means;
    this.places = places;
    this.local = local;
  }

  /** Those of a shift. */
  List<IdlePlan.Move> of(Shift shift) {
    Map<String, String> targets = new HashMap<>();
    Set<String> to = IdleState.names(shift.after());
    Set<String> going = new TreeSet<>(to);
    going.removeAll(IdleState.names(shift.before()));
    if (going.isEmpty()) {
      for (Sleeper sleeper : shift.before()) {
        if (!to.contains(sleeper.node())) {
          String server = means.node(sleeper.node()).server();
          sleeper.homes().forEach(region -> targets.put(region, server));
        }
      }
    } else {
      List<Region> leaving = new ArrayList<>();
      Map<String, List<Region>> staying = new TreeMap<>(places);
      for (String server : means.serversOf(going)) {
        List<Region> held = staying.remove(server);
        leaving.addAll(held == null ? List.of() : held);
      }
      Mover mover = new Mover(means);
      staying.keySet().retainAll(mover.mayGet(means.others(to)));
      targets.putAll(staying.isEmpty() ? Map.of() : mover.targets(leaving, staying, local));
    }
    return moves(targets);
  }

  private List<IdlePlan.Move> moves(Map<String, String> targets) {
    Map<String, String> beside = new HashMap<>();
    means.nodes().forEach(node -> beside.put(node.server(), node.dataNode()));
    List<IdlePlan.Move> moves = new ArrayList<>();
    places.forEach(
        (server, held) -> {
          for (Region region : held) {
            String to = targets.getOrDefault(region.id(), server);
            if (!to.equals(server)) {
              moves.add(
                  new IdlePlan.Move(
                      region.id(),
                      region.table(),
                      server,
                      to,
                      local.bytes(region.id()),
                      local.on(region.id(), beside.getOrDefault(to, ""))));
            }
          }
        });
    return moves;
  }

  /** Where regions are after moves. */
  Map<String, List<Region>> after(List<IdlePlan.Move> moves) {
    Map<String, List<Region>> after = new TreeMap<>();
    places.forEach((server, held) -> after.put(server, new ArrayList<>(held)));
    for (IdlePlan.Move move : moves) {
      Region region = new Region(move.region(), move.table());
      after.getOrDefault(move.from(), new ArrayList<>()).remove(region);
      after.computeIfAbsent(move.to(), server -> new ArrayList<>()).add(region);
    }
    return after;
  }
}
