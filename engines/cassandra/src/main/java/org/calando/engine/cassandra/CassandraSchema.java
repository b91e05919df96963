package org.calando.engine.cassandra;

import static org.calando.schema.Types.text;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.engine.EngineSchema;
import org.calando.engine.EngineSettings;
import org.calando.engine.InventorySpec;
import org.calando.engine.LayoutType;
import org.calando.engine.Replicas;
import org.calando.engine.ReplicationSchema;
import org.calando.engine.StoreLayout;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.engine.TlsSchema;
import org.calando.schema.Key;
import org.calando.schema.Values;

/** What files may say of Cassandra. */
final class CassandraSchema implements EngineSchema {
  private static final int PORT = 9042;

  private static final Key<String> JMX_USER =
      Key.of(
              "jmx-user",
              text("a user", "[^\\p{Cntrl}]{1,100}", ""),
              "User of the nodes' JMX, where it asks for one.")
          .example("monitor");
  private static final Key<String> JMX_PASSWORD_FILE =
      Key.of("jmx-password-file", TlsSchema.PATH, "File whose first line is its password.")
          .example("secrets/jmx");

  @Override
  public List<Keys> keys(Section section) {
    return switch (section) {
      case STORE -> List.of(Keys.at(60, JMX_USER, JMX_PASSWORD_FILE, StoreSchema.GEARS));
      case LOCAL -> CassandraLocalSchema.KEYS;
      case INVENTORY -> List.of();
    };
  }

  @Override
  public OptionalInt port() {
    return OptionalInt.of(PORT);
  }

  @Override
  public void checkLocal(Values local) {
    CassandraLocalSchema.check(local);
  }

  @Override
  public void checkStore(Values store) {
    store
        .find(StoreSchema.LOCAL)
        .filter(local -> local.replicationFactor() > local.nodes())
        .ifPresent(
            local ->
                store.errorAt(
                    "local.rf",
                    local.replicationFactor() + " is more than the " + local.nodes() + " nodes",
                    "write at most " + local.nodes() + ", or more nodes"));
    store
        .find(StoreSchema.GEARS)
        .filter(gears -> gears.least() > 1)
        .ifPresent(
            gears ->
                store.errorAt(
                    StoreSchema.GEARS.name() + "." + StoreSchema.LEAST.name(),
                    "is not supported by cassandra, of which racks go off",
                    "remove it"));
    if (store.given(StoreSchema.INVENTORY)) {
      checkInventoryOf(store);
    } else if (store.given(StoreSchema.LOCAL)) {
      store.forbid("is valid only with an inventory", JMX_USER, JMX_PASSWORD_FILE);
    }
  }

  private static void checkInventoryOf(Values store) {
    store.require("write the replication factor for the keyspace", StoreSchema.RF);
    store
        .find(StoreSchema.INVENTORY)
        .ifPresent(
            inventory ->
                ReplicationSchema.check(store, StoreSchema.RF, StoreSchema.LOCAL_DC, inventory));
    boolean password =
        store.given(StoreSchema.PASSWORD_FILE) || store.given(StoreSchema.PASSWORD_ENV);
    if (password && !store.given(StoreSchema.USER)) {
      store.require("write the user that the password belongs to", StoreSchema.USER);
    }
    if (store.given(JMX_USER) != store.given(JMX_PASSWORD_FILE)) {
      store.require("write both jmx-user and jmx-password-file", JMX_USER, JMX_PASSWORD_FILE);
    }
  }

  @Override
  public Optional<EngineSettings> local(Values local) {
    return Optional.of(CassandraLocalSchema.build(local));
  }

  @Override
  public Optional<EngineSettings> store(Values store) {
    return store.given(JMX_USER) || store.given(StoreSchema.GEARS)
        ? Optional.of(
            new CassandraSettings(
                store
                    .find(JMX_USER)
                    .map(
                        user ->
                            new StoreSpec.Credentials(
                                user, store.find(JMX_PASSWORD_FILE), Optional.empty())),
                store.find(StoreSchema.GEARS).map(gears -> gears.capacity().perSecond())))
        : Optional.empty();
  }

  @Override
  public Replicas replicas(Values store) {
    Map<String, Integer> rf =
        store
            .find(StoreSchema.LOCAL)
            .map(spec -> Map.of(ReplicationSchema.EVERYWHERE, spec.replicationFactor()))
            .orElseGet(() -> store.get(StoreSchema.RF));
    NavigableSet<String> named =
        store
            .find(StoreSchema.INVENTORY)
            .map(InventorySpec::datacenters)
            .orElseGet(Collections::emptyNavigableSet);
    return new Replicas(
        ReplicationSchema.total(rf),
        rf.containsKey(ReplicationSchema.EVERYWHERE) ? Map.of() : rf,
        ReplicationSchema.local(store.find(StoreSchema.LOCAL_DC), rf, named));
  }

  @Override
  public void checkLayout(Values study, String path, StoreSpec store, StoreLayout layout) {
    layout.tokens().ifPresent(share -> LayoutType.check(study, path, share, store.nodes()));
  }
}
