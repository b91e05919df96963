package org.calando.engine.cassandra;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.calando.core.energy.NodeProfile;
import org.calando.engine.ClusterRequest;
import org.calando.engine.Engine;
import org.calando.engine.EngineSchema;
import org.calando.engine.Feature;
import org.calando.engine.GearedNodes;
import org.calando.engine.InventoryTarget;
import org.calando.engine.StoreSpec;
import org.calando.engine.Target;
import org.calando.kept.LocalEngine;
import org.calando.local.cassandra.LocalCassandra;

/** Apache Cassandra. */
public final class CassandraEngine implements Engine {
  /** Its id. */
  static final String ID = "cassandra";

  private static final EngineSchema SCHEMA = new CassandraSchema();

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String title() {
    return "Cassandra";
  }

  @Override
  public int place() {
    return 10;
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.of(
        Feature.LOCAL,
        Feature.INVENTORY,
        Feature.GOVERNED,
        Feature.REPLICATION_FACTOR,
        Feature.DATA_CENTRES,
        Feature.RACKS,
        Feature.USERS,
        Feature.TLS,
        Feature.LINK_DELAYS,
        Feature.TOKEN_LAYOUTS,
        Feature.LEVEL_POLICIES,
        Feature.REQUEST_COUNTS,
        Feature.GEARS,
        Feature.NODE_EVENTS);
  }

  @Override
  public EngineSchema schema() {
    return SCHEMA;
  }

  @Override
  public Optional<GearedNodes> gears(StoreSpec store) {
    return Optional.of(RackGears.of(store));
  }

  @Override
  public String needs() {
    return "ports, memory and Java";
  }

  @Override
  public Target start(ClusterRequest request) {
    return CassandraLocalTarget.start(request);
  }

  @Override
  public void requireStartable(ClusterRequest request) {
    LocalCassandra.check(CassandraLocalTarget.config(request));
  }

  @Override
  public InventoryTarget reach(StoreSpec store, NodeProfile profile, Path base) {
    return new CassandraInventory(store, profile, base);
  }

  @Override
  public Optional<LocalEngine> local() {
    return Optional.of(new LocalClusters());
  }
}
