package org.calando.engine.hdfs;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.layout.gear.GearLayout;
import org.calando.engine.BlockLayout;
import org.calando.engine.ClusterRequest;
import org.calando.engine.GearedFiles;
import org.calando.engine.StoreLayout;
import org.calando.gears.GearSpec;

/**
 * What only a local HDFS has. Immutable.
 *
 * @param gears how many nodes are on in gear 1, 2, ..., ascending; empty for a cluster of another
 *     engine
 * @param blocks layout of blocks
 * @param primaries of RABBIT; 0 for the nodes of gear 1
 * @param replicas of RABBIT
 * @param offload who stands in for nodes that are off, {@code random} or {@code balanced}
 * @param nodePerSecond pieces of files that policies of gears take a node to read or write in a
 *     second; empty if there are no such policies
 * @param conf further settings of {@code hdfs-site.xml}
 */
public record HdfsLocal(
    List<Integer> gears,
    BlockLayout blocks,
    int primaries,
    int replicas,
    String offload,
    Optional<Double> nodePerSecond,
    Map<String, Object> conf)
    implements GearedFiles {
  /** Copies what it holds. */
  public HdfsLocal {
    gears = List.copyOf(gears);
    conf = Collections.unmodifiableMap(new LinkedHashMap<>(conf));
  }

  /** The same cluster with another layout, if there is one. */
  public HdfsLocal with(Optional<BlockLayout> another) {
    return new HdfsLocal(
        gears, another.orElse(blocks), primaries, replicas, offload, nodePerSecond, conf);
  }

  /** Of a cluster that is asked for, in the layout that is asked for. */
  static HdfsLocal of(ClusterRequest request) {
    return request.local().get(HdfsLocal.class).with(request.layout().flatMap(StoreLayout::blocks));
  }

  @Override
  public String engine() {
    return HdfsEngine.ID;
  }

  @Override
  public Optional<StoreLayout> layout() {
    return Optional.of(new StoreLayout.Blocks(blocks));
  }

  @Override
  public GearLayout laidOut(Optional<BlockLayout> another) {
    return with(another).spec().laidOut();
  }

  /** How blocks are laid out. */
  public GearSpec spec() {
    return new GearSpec(blocks.family(), blocks.order(), gears, primaries, replicas, offload, 1);
  }
}
