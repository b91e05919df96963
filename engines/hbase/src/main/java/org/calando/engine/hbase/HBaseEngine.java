package org.calando.engine.hbase;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.calando.core.energy.NodeProfile;
import org.calando.engine.ClusterRequest;
import org.calando.engine.Engine;
import org.calando.engine.EngineSchema;
import org.calando.engine.Feature;
import org.calando.engine.InventoryTarget;
import org.calando.engine.StoreSpec;
import org.calando.engine.Target;
import org.calando.kept.LocalEngine;
import org.calando.local.hbase.LocalHBase;

/** HBase on HDFS. */
public final class HBaseEngine implements Engine {
  /** Its id. */
  static final String ID = "hbase";

  private static final EngineSchema SCHEMA = new HBaseSchema();

  /** The usual hbase.regionserver.msginterval, in which RegionServers report to the master. */
  private static final Duration REPORTS = Duration.ofSeconds(3);

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String title() {
    return "HBase";
  }

  @Override
  public int place() {
    return 40;
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.of(
        Feature.LOCAL,
        Feature.INVENTORY,
        Feature.GOVERNED,
        Feature.DEFERRED_WRITES,
        Feature.GEARS,
        Feature.REQUEST_COUNTS,
        Feature.NODE_EVENTS);
  }

  @Override
  public EngineSchema schema() {
    return SCHEMA;
  }

  @Override
  public Duration reportsEach() {
    return REPORTS;
  }

  @Override
  public String needs() {
    return "servers, memory and Java";
  }

  @Override
  public Target start(ClusterRequest request) {
    return HBaseLocalTarget.start(request);
  }

  @Override
  public void requireStartable(ClusterRequest request) {
    LocalHBase.check(HBaseLocalTarget.config(request.local()).build());
  }

  @Override
  public InventoryTarget reach(StoreSpec store, NodeProfile profile, Path base) {
    return new HBaseInventory(store, profile);
  }

  @Override
  public Optional<LocalEngine> local() {
    return Optional.of(new LocalHBaseClusters());
  }
}
