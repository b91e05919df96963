package org.calando.study.config;

import static org.calando.study.config.schema.Types.freeMap;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.study.config.schema.Key;
import org.calando.study.config.schema.Values;

/** What is said of an HBase that is studied. */
final class HBaseSchema {
  static final Key<Map<String, Object>> SITE =
      Key.of(
              "hbase-site",
              freeMap(),
              "HBase: settings of all servers, put into each hbase-site.xml; names, addresses,"
                  + " ports and folders are not among them.")
          .byDefault("{}")
          .example("{hbase.wal.hsync: true}");

  private HBaseSchema() {}

  /** Checks the store of a study on HBase. */
  static void checkStore(
      Values store, Key<LocalSpec> local, Key<InventorySpec> inventory, Key<?>... others) {
    store
        .find(inventory)
        .filter(cluster -> cluster.hbase().isEmpty())
        .ifPresent(
            cluster ->
                store.error(
                    inventory,
                    "does not say how its HBase is reached",
                    "add hbase: {quorum: [HOST:PORT]} to it"));
    InventorySchema.checkPorts(store, inventory, HBaseClusterSchema.PORT);
    store.forbid("holds not for hbase", others);
    store.find(local).ifPresent(spec -> checkLocal(store, local, spec));
  }

  private static void checkLocal(Values store, Key<LocalSpec> key, LocalSpec local) {
    if (local.nodes() > LocalHBaseConfig.MAX_NODES) {
      store.errorAt(
          "local.nodes",
          local.nodes() + " is more than a local HBase has RegionServers",
          "write at most " + LocalHBaseConfig.MAX_NODES);
    }
    local
        .onlyForCassandra()
        .ifPresent(
            name -> store.errorAt("local." + name, "holds not for a local HBase", "remove it"));
    if (!local.redis().equals(RedisLocal.DEFAULT) || local.auth() || local.tls()) {
      store.error(
          key,
          "has settings that a local HBase does not have",
          "remove auth, tls, and what only a local Redis has");
    }
    try {
      LocalHBaseConfig.Builder builder = LocalHBaseConfig.builder();
      local.hbase().site().forEach((name, value) -> builder.setting(name, String.valueOf(value)));
      LocalHBaseConfig unused = builder.build();
    } catch (BadRequestException e) {
      store.errorAt(
          "local." + SITE.name(),
          String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
          "remove it");
    }
  }

  /** What of a study is not possible on HBase, and what is only there. */
  static void checkStudy(Values study, Key<StoreSpec> store, Key<MonitorSpec> monitor) {
    Optional<StoreSpec> studied = study.find(store);
    boolean hbase = studied.filter(StoreSpec::isHBase).isPresent();
    if (!hbase) {
      if (studied.isPresent()) {
        for (String part : parts(study)) {
          if (study.has(part + ".write-buffer")) {
            study.errorAt(
                part + ".write-buffer", "holds only for hbase", "remove it, or study hbase");
          }
        }
      }
      return;
    }
    if (study.find(monitor).filter(MonitorSpec::staticLevels).isPresent()) {
      study.errorAt("monitor.static-levels", "is not possible on hbase", "remove it");
    }
    for (String part : parts(study)) {
      if (study.has(part + ".layout")) {
        study.errorAt(part + ".layout", "holds not for hbase, which has no tokens", "remove it");
      }
      checkLevels(study, part + ".consistency");
    }
  }

  private static void checkLevels(Values study, String path) {
    for (int i = 0; i < study.items(path); i++) {
      String item = path + "[" + i + "]";
      study
          .peek(item, MatrixSchema.LEVELS)
          .filter(pair -> pair.policy().isPresent())
          .ifPresent(
              pair ->
                  study.errorAt(
                      item,
                      "a row of HBase is on one server: there is nothing to choose",
                      "write ONE"));
    }
  }

  private static List<String> parts(Values study) {
    return StudySchema.parts(study, StudySchema.MATRIX);
  }
}
