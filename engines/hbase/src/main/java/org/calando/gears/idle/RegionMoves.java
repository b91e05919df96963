package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/*
 * Regions go where most of their bytes are already, as long as no server gets more than its share of regions. Pairs of
 * region and server are taken in the order of the bytes that are near; a region whose servers are all full of it goes to
 * the one with fewest.
 */
/** Where the regions of servers that go to sleep are to be. Stateless. */
final class RegionMoves {
  private RegionMoves() {}

  /** A region that would be on a server. */
  private record Pair(String region, String server, long near) {}

  /**
   * Chooses.
   *
   * @param regions those to be moved
   * @param counts of regions on each server that stays; at least one
   * @param near bytes of a region that are beside a server
   * @return servers by region, for all
   */
  static Map<String, String> choose(List<String> regions, Map<String, Integer> counts, Near near) {
    if (counts.isEmpty()) {
      throw new IllegalArgumentException("no server stays");
    }
    Map<String, Integer> now = new TreeMap<>(counts);
    int all = regions.size() + now.values().stream().mapToInt(Integer::intValue).sum();
    int share = (all + now.size() - 1) / now.size();
    List<Pair> pairs = new ArrayList<>();
    for (String region : regions) {
      now.keySet().forEach(to -> pairs.add(new Pair(region, to, near.bytes(region, to))));
    }
    pairs.sort(
        Comparator.comparingLong(Pair::near)
            .reversed()
            .thenComparing(Pair::region)
            .thenComparing(Pair::server));
    Map<String, String> chosen = new HashMap<>();
    for (Pair pair : pairs) {
      if (pair.near() > 0
          && !chosen.containsKey(pair.region())
          && now.getOrDefault(pair.server(), 0) < share) {
        chosen.put(pair.region(), pair.server());
        now.merge(pair.server(), 1, Integer::sum);
      }
    }
    for (String region : regions) {
      if (!chosen.containsKey(region)) {
        String emptiest = emptiest(now);
        chosen.put(region, emptiest);
        now.merge(emptiest, 1, Integer::sum);
      }
    }
    return chosen;
  }

  /** Tells bytes of a region beside a server. */
  interface Near {
    long bytes(String region, String server);
  }

  private static String emptiest(Map<String, Integer> counts) {
    return counts.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }
}
