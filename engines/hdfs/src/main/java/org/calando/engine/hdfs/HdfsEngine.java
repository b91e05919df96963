package org.calando.engine.hdfs;

import java.nio.file.Path;
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
import org.calando.local.hdfs.LocalHdfs;

/** HDFS, which is studied on clusters that studies start. */
public final class HdfsEngine implements Engine {
  /** Its id. */
  static final String ID = "hdfs";

  private static final EngineSchema SCHEMA = new HdfsSchema();

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String title() {
    return "HDFS";
  }

  @Override
  public String note() {
    return "stores files";
  }

  @Override
  public int place() {
    return 30;
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.of(
        Feature.LOCAL,
        Feature.FILES,
        Feature.GOVERNED,
        Feature.BLOCK_LAYOUTS,
        Feature.GEARS,
        Feature.REQUEST_COUNTS);
  }

  @Override
  public EngineSchema schema() {
    return SCHEMA;
  }

  @Override
  public String needs() {
    return "jars, memory, Java and the placement";
  }

  @Override
  public Target start(ClusterRequest request) {
    return HdfsTarget.start(request.power(), HdfsLocal.of(request));
  }

  @Override
  public void requireStartable(ClusterRequest request) {
    LocalHdfs.check(HdfsTarget.config(HdfsLocal.of(request), Path.of("gears")).build());
  }

  @Override
  public InventoryTarget reach(StoreSpec store, NodeProfile profile, Path base) {
    return new HdfsInventory(store, profile);
  }

  @Override
  public Optional<LocalEngine> local() {
    return Optional.of(new LocalHdfsClusters());
  }
}
