package org.calando.studyfile;

import static org.calando.schema.Types.freeMap;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.schema.Key;
import org.calando.schema.Values;
import org.calando.studyfile.Places.Place;

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
    store.forbid("is not supported by hbase", others);
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
            name ->
                store.errorAt("local." + name, "is not supported by a local HBase", "remove it"));
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
      studied.ifPresent(spec -> checkElsewhere(study, spec));
      return;
    }
    if (study.find(monitor).filter(MonitorSpec::staticLevels).isPresent()) {
      study.errorAt("monitor.static-levels", "is not possible on hbase", "remove it");
    }
    for (String path : Places.of(study, StudySchema.MATRIX, Axes.LAYOUT)) {
      study.errorAt(path, "is not supported by hbase, which has no tokens", "remove it");
    }
    checkLevels(study);
  }

  private static void checkElsewhere(Values study, StoreSpec studied) {
    List<String> paths = Places.of(study, StudySchema.MATRIX, Axes.WRITE_BUFFER);
    if (studied.isSimulated()) {
      checkSimulatedBuffer(study, !paths.isEmpty());
      checkSimulated(study);
      return;
    }
    for (String path : paths) {
      study.errorAt(path, "holds only for hbase and sim", "remove it, or study one of them");
    }
  }

  /** What the matrix says of buffers is not to be said of all runs as well. */
  private static void checkSimulatedBuffer(Values study, boolean varied) {
    String path = "store.sim.write-buffer";
    boolean sized = study.has(path + ".writes");
    if (varied && sized) {
      study.errorAt(path + ".writes", "given beside matrix.write-buffer", "give only one of them");
    } else if (!varied && !sized && study.has(path)) {
      study.errorAt(path, "has no writes", "write writes, or matrix.write-buffer");
    }
  }

  private static void checkSimulated(Values study) {
    for (Place<BufferChoice> place : Places.values(study, StudySchema.MATRIX, Axes.WRITE_BUFFER)) {
      if (place.value().readYourWrites()) {
        study.errorAt(place.path(), "read-your-writes is not simulated", "remove it");
      }
    }
  }

  private static void checkLevels(Values study) {
    for (Place<LevelPair> place : Places.values(study, StudySchema.MATRIX, Axes.CONSISTENCY)) {
      if (place.value().policy().isPresent()) {
        study.errorAt(
            place.path(),
            "a row of HBase is on one server: there is nothing to choose",
            "write ONE");
      }
    }
  }
}
