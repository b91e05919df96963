package org.calando.studyfile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.gears.GearSpec;

/**
 * What only a local HDFS has. Immutable.
 *
 * @param gears how many nodes are on in gear 1, 2, ..., ascending; empty for a cluster of another
 *     engine
 * @param layout of blocks
 * @param primaries of RABBIT; 0 for the nodes of gear 1
 * @param replicas of RABBIT
 * @param offload who stands in for nodes that are off, {@code random} or {@code balanced}
 * @param nodePerSecond pieces of files that policies of gears take a node to read or write in a
 *     second; empty if there are no such policies
 * @param conf further settings of {@code hdfs-site.xml}
 */
public record HdfsLocal(
    List<Integer> gears,
    BlockLayout layout,
    int primaries,
    int replicas,
    String offload,
    Optional<Double> nodePerSecond,
    Map<String, Object> conf) {
  /** What holds if nothing is written. */
  static final HdfsLocal DEFAULT =
      new HdfsLocal(List.of(), BlockLayout.RABBIT, 0, 2, "balanced", Optional.empty(), Map.of());

  /** Copies what it holds. */
  public HdfsLocal {
    gears = List.copyOf(gears);
    conf = Collections.unmodifiableMap(new LinkedHashMap<>(conf));
  }

  /** The same cluster with another layout, if there is one. */
  public HdfsLocal with(Optional<BlockLayout> another) {
    return new HdfsLocal(
        gears, another.orElse(layout), primaries, replicas, offload, nodePerSecond, conf);
  }

  /** How blocks are laid out. */
  public GearSpec spec() {
    return layout.spec(gears, primaries, replicas, offload);
  }
}
