package org.calando.engine.hbase;

import static org.calando.schema.Types.freeMap;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.core.BadRequestException;
import org.calando.engine.EngineSchema;
import org.calando.engine.EngineSettings;
import org.calando.engine.GearSettings;
import org.calando.engine.InventorySchema;
import org.calando.engine.InventorySpec;
import org.calando.engine.LocalSpec;
import org.calando.engine.StoreSchema;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.schema.Key;
import org.calando.schema.Values;

/** What files may say of HBase. */
final class HBaseSchema implements EngineSchema {
  private static final Key<Map<String, Object>> SITE =
      Key.of(
              "hbase-site",
              freeMap(),
              "HBase: settings of all servers, put into each hbase-site.xml; names, addresses,"
                  + " ports and folders are not among them.")
          .byDefault("{}")
          .example("{hbase.wal.hsync: true}");
  private static final Key<HBaseSpec> HBASE =
      Key.of("hbase", HBaseClusterSchema.TYPE, "An HBase that is studied; see docs/hbase.md.")
          .example("{quorum: [\"10.0.0.1:2181\"]}");

  @Override
  public List<Keys> keys(Section section) {
    return switch (section) {
      case STORE -> List.of(Keys.at(60, StoreSchema.GEARS));
      case LOCAL -> List.of(Keys.at(60, SITE));
      case INVENTORY -> List.of(Keys.at(30, HBASE));
    };
  }

  @Override
  public OptionalInt port() {
    return OptionalInt.of(HBaseClusterSchema.PORT);
  }

  @Override
  public Optional<EngineSettings> local(Values local) {
    return Optional.of(new HBaseLocal(local.get(SITE)));
  }

  @Override
  public Optional<EngineSettings> inventory(Values inventory) {
    return inventory.find(HBASE).map(found -> found);
  }

  @Override
  public Optional<EngineSettings> store(Values store) {
    int servers =
        store
            .find(StoreSchema.INVENTORY)
            .map(HBaseSchema::servers)
            .orElseGet(() -> store.find(StoreSchema.LOCAL).map(LocalSpec::nodes).orElse(1));
    Optional<GearSettings> gears = store.find(StoreSchema.GEARS);
    return Optional.of(
        new IdleGears(
            servers,
            gears.map(GearSettings::least).orElse(1),
            gears.map(settings -> settings.capacity().perSecond())));
  }

  private static int servers(InventorySpec inventory) {
    int others = inventory.find(HBaseSpec.class).map(hbase -> hbase.others().size()).orElse(0);
    return inventory.nodes().size() - others;
  }

  @Override
  public void checkInventory(Values inventory) {
    List<String> names = InventorySchema.names(inventory);
    List<String> others = inventory.find(HBASE).map(HBaseSpec::others).orElse(List.of());
    for (int i = 0; i < others.size(); i++) {
      if (!names.contains(others.get(i))) {
        inventory.errorAt(
            "hbase.others[" + i + "]",
            "'" + others.get(i) + "' is no node of the inventory",
            "write the name of one");
      }
    }
    if (!names.isEmpty() && others.containsAll(names)) {
      inventory.errorAt(
          "hbase.others", "holds all nodes", "leave out those that run a RegionServer");
    }
  }

  @Override
  public void checkStore(Values store) {
    store
        .find(StoreSchema.INVENTORY)
        .filter(cluster -> cluster.find(HBaseSpec.class).isEmpty())
        .ifPresent(
            cluster ->
                store.error(
                    StoreSchema.INVENTORY,
                    "does not say how its HBase is reached",
                    "add hbase: {quorum: [HOST:PORT]} to it"));
    store.find(StoreSchema.LOCAL).ifPresent(spec -> checkLocal(store, spec));
  }

  private static void checkLocal(Values store, LocalSpec local) {
    if (local.nodes() > LocalHBaseConfig.MAX_NODES) {
      store.errorAt(
          "local.nodes",
          local.nodes() + " is more than a local HBase has RegionServers",
          "write at most " + LocalHBaseConfig.MAX_NODES);
    }
    try {
      LocalHBaseConfig.Builder builder = LocalHBaseConfig.builder();
      local
          .get(HBaseLocal.class)
          .site()
          .forEach((name, value) -> builder.setting(name, String.valueOf(value)));
      LocalHBaseConfig unused = builder.build();
    } catch (BadRequestException e) {
      store.errorAt(
          "local." + SITE.name(),
          String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
          "remove it");
    }
  }
}
