package org.calando.cli;

import java.nio.file.Path;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.engine.Engine;
import org.calando.engine.InventorySpec;
import org.calando.engine.InventoryTarget;
import org.calando.engine.StoreSpec;
import org.calando.engine.Target;
import org.calando.engine.cassandra.CassandraTarget;
import org.calando.engine.cassandra.ClusterAccess;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.studyfile.StudyFile;

/** How to connect to the cluster that a file names. Stateless. */
public final class StoreAccess {
  private StoreAccess() {}

  /**
   * Reads a file.
   *
   * @param file a study's on an inventory, or an inventory alone: its nodes are then asked without
   *     a user and without TLS
   * @param overrides each {@code path=value}, put over a study's file in order
   * @throws BadRequestException if the file is wrong, or its study starts a cluster of its own
   */
  public static CassandraStoreConfig read(Path file, List<String> overrides) {
    return cluster(file, overrides).config();
  }

  /**
   * As {@link #read}, with the nodes' names.
   *
   * @throws BadRequestException as {@link #read}
   */
  public static ClusterAccess cluster(Path file, List<String> overrides) {
    StoreSpec store = store(file, overrides);
    InventorySpec inventory = inventory(store, file);
    // No figure of energy is asked for.
    NodeProfile any = Profiles.byName(Profiles.names().iterator().next()).orElseThrow();
    Engine engine = store.kind();
    InventoryTarget target = engine.reach(store, any, folder(file));
    CassandraTarget cassandra =
        target
            .find(CassandraTarget.class)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "the cluster is one of " + engine.title() + ", and this is for Cassandra",
                        file.toString(),
                        "name another"));
    return new ClusterAccess(
        cassandra.store(),
        target.nodes().stream().map(Target.Node::name).toList(),
        InventoryTarget.isOnThisMachine(inventory));
  }

  /**
   * The inventory that a file is, or that its study is on.
   *
   * @throws BadRequestException as {@link #read}
   */
  static InventorySpec inventory(Path file) {
    return inventory(store(file, List.of()), file);
  }

  private static Path folder(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? Path.of("") : parent;
  }

  private static StoreSpec store(Path file, List<String> overrides) {
    if (!StudyFile.isInventory(file)) {
      return StudyFile.read(file, overrides).store();
    }
    if (!overrides.isEmpty()) {
      throw new BadRequestException(
          "--set is for study files", file.toString(), "change the inventory itself");
    }
    return StoreSpec.ofInventory(StudyFile.readInventory(file));
  }

  private static InventorySpec inventory(StoreSpec store, Path file) {
    return store
        .inventory()
        .orElseThrow(
            () ->
                new BadRequestException(
                    "the study starts a cluster of its own, which does not run now",
                    file.toString(),
                    "name an inventory, such as that of ./calando local start cassandra"));
  }
}
