package org.calando.engine.hdfs;

import java.util.List;
import java.util.Optional;
import org.calando.engine.EngineSchema;
import org.calando.engine.EngineSettings;
import org.calando.engine.LocalSchema;
import org.calando.engine.Replicas;
import org.calando.engine.StoreLayout;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.schema.Key;
import org.calando.schema.Values;

/** What files may say of HDFS. */
final class HdfsSchema implements EngineSchema {
  private static final Key<HdfsSpec> HDFS =
      Key.of("hdfs", HdfsClusterSchema.TYPE, "An HDFS whose gears are shifted; see docs/gears.md.")
          .example(
              "{namenode: \"hdfs://10.0.0.1:8020\", http: \"10.0.0.1:9870\", hosts-file: hosts.json,"
                  + " gear-file: gears.json}");

  @Override
  public List<Keys> keys(Section section) {
    return switch (section) {
      case STORE -> List.of();
      case LOCAL -> List.of(HdfsLocalSchema.KEYS);
      case INVENTORY -> List.of(Keys.at(20, HDFS));
    };
  }

  @Override
  public Optional<EngineSettings> local(Values local) {
    return Optional.of(HdfsLocalSchema.build(local, local.find(LocalSchema.LAYOUT)));
  }

  @Override
  public Optional<EngineSettings> inventory(Values inventory) {
    return inventory.find(HDFS).map(found -> found);
  }

  @Override
  public void checkStore(Values store) {
    store.find(StoreSchema.LOCAL).ifPresent(local -> HdfsLocalSchema.check(store, local));
  }

  @Override
  public Replicas replicas(Values store) {
    return Replicas.of(
        store
            .find(StoreSchema.LOCAL)
            .map(local -> local.get(HdfsLocal.class).replicas())
            .orElse(1));
  }

  @Override
  public void checkLayout(Values study, String path, StoreSpec store, StoreLayout layout) {
    HdfsLocal local = store.local().orElseThrow().get(HdfsLocal.class);
    layout.blocks().ifPresent(blocks -> HdfsLocalSchema.check(study, path, local, blocks));
  }
}
