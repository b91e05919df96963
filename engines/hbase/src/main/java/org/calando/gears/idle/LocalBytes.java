package org.calando.gears.idle;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.gears.Member;
import org.calando.gears.StoredBlock;

/*
 * A region's files are in a folder of its own, ROOT/data/NAMESPACE/TABLE/REGION/FAMILY/FILE. HBase's own figure of
 * locality goes by hosts, and nodes that share a host are all the same to it; here it goes by DataNodes.
 */
/** How many bytes of each region's files are on which DataNode. Not thread safe. */
final class LocalBytes {
  private static final int REGION = 2;
  private static final int FAMILY = 3;
  private static final int PARTS = 5;

  private final Map<String, Map<Integer, Long>> bytes = new HashMap<>();
  private final Map<String, Long> sums = new HashMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final String root;
  private final String data;
  private int copies;

  /** Nothing is counted yet. */
  LocalBytes(String root, List<Member> members) {
    this.root = root + "/";
    this.data = root + "/data/";
    members.forEach(member -> numbers.put(member.name(), member.number()));
  }

  /** Those of a store now. Nodes in maintenance, on or off, have none. */
  static LocalBytes of(IdleMeans means) {
    LocalBytes local = new LocalBytes(means.root(), means.dataNodes().cluster().members());
    means.dataNodes().cluster().survey(local::add);
    return local;
  }

  /** Counts a block, if it is one of a region's. */
  void add(StoredBlock block) {
    copies = Math.max(copies, block.path().startsWith(root) ? block.copies() : 0);
    region(block.path())
        .ifPresent(
            region -> {
              sums.merge(region, block.bytes(), Long::sum);
              Map<Integer, Long> of = bytes.computeIfAbsent(region, key -> new HashMap<>());
              block.nodes().forEach(node -> of.merge(node, block.bytes(), Long::sum));
            });
  }

  private Optional<String> region(String path) {
    if (!path.startsWith(data)) {
      return Optional.empty();
    }
    String[] parts = path.substring(data.length()).split("/", -1);
    // What is being written, or replayed, has a folder that begins with a dot, or with this word.
    boolean isFile =
        parts.length == PARTS
            && !parts[REGION].startsWith(".")
            && !parts[FAMILY].startsWith(".")
            && !parts[FAMILY].equals("recovered.edits");
    return isFile ? Optional.of(parts[REGION]) : Optional.empty();
  }

  /** Most copies that a file of HBase's asks for. */
  int copies() {
    return copies;
  }

  /** Bytes of a region's files. */
  long bytes(String region) {
    return sums.getOrDefault(region, 0L);
  }

  /** Those of them that are on a DataNode. */
  long on(String region, String dataNode) {
    Integer number = numbers.get(dataNode);
    return number == null ? 0 : bytes.getOrDefault(region, Map.of()).getOrDefault(number, 0L);
  }

  /**
   * The share of regions' bytes that are on the DataNodes beside their servers, 0 to 1; 1 if they
   * have none.
   *
   * @param places DataNodes by region
   */
  double share(Map<String, String> places) {
    long all = 0;
    long near = 0;
    for (Map.Entry<String, String> place : places.entrySet()) {
      all += bytes(place.getKey());
      near += on(place.getKey(), place.getValue());
    }
    return all == 0 ? 1 : (double) near / all;
  }
}
