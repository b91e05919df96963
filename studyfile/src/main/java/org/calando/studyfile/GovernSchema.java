package org.calando.studyfile;

import static org.calando.schema.Types.choiceOrLater;

import java.util.List;
import java.util.Optional;
import org.calando.core.policy.clock.ClockPolicies;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/** What the file of {@code calando govern} may say. */
final class GovernSchema {
  private static final ObjectType<RedisGroup> GROUP =
      ObjectType.named("a Redis group", "A Redis or Valkey master of yours, and its replicas.")
          .keys(StoreSchema.INVENTORY)
          .keys(RedisSchema.SENTINELS, RedisSchema.MASTER_NAME)
          .keys(RedisSchema.SENTINEL_USER, RedisSchema.SENTINEL_PASSWORD_FILE)
          .keys(StoreSchema.USER, StoreSchema.PASSWORD_FILE, StoreSchema.PASSWORD_ENV)
          .keys(StoreSchema.TLS)
          .check(GovernSchema::checkGroup)
          .build(GovernSchema::group);

  private static final Key<RedisGroup> REDIS =
      Key.of("redis", GROUP, "The servers; all of them on this machine.")
          .mandatory()
          .example("{inventory: cluster.yaml}");
  private static final Key<String> CLOCK =
      Key.of(
              "clock",
              choiceOrLater("a policy of clocks", ClockPolicies.NAMES, List.of()),
              "The policy that decides about the clocks, as in a study's matrix.clock.")
          .byDefault("concerto")
          .example("slack");
  private static final Key<ManagedClocks> CLOCKS =
      Key.of("clocks", ManagedClocksSchema.TYPE, "Which processors the nodes have; as in a study.")
          .mandatory()
          .example("{cpus: {n1: 0, n2: 1, n3: 2}}");

  static final ObjectType<GovernSpec> TYPE =
      ObjectType.named("the governor", "What ./calando govern governs.")
          .keys(REDIS, CLOCK, CLOCKS)
          .check(GovernSchema::check)
          .build(
              values -> new GovernSpec(values.get(REDIS), values.get(CLOCK), values.get(CLOCKS)));

  private GovernSchema() {}

  private static void checkGroup(Values group) {
    group.require("list the nodes: a file, or {nodes: [...]} itself", StoreSchema.INVENTORY);
    InventorySchema.checkPorts(group, StoreSchema.INVENTORY, RedisSchema.PORT);
    RedisSchema.checkSentinels(group, StoreSchema.INVENTORY);
    RedisSchema.checkPassword(group);
  }

  private static RedisGroup group(Values group) {
    return new RedisGroup(
        group.get(StoreSchema.INVENTORY).orPort(RedisSchema.PORT),
        RedisSchema.sentinels(group),
        RedisSchema.credentials(group),
        group.find(StoreSchema.TLS));
  }

  private static void check(Values values) {
    Optional<RedisGroup> group = values.find(REDIS);
    Optional<ManagedClocks> clocks = values.find(CLOCKS);
    if (group.isPresent() && clocks.isPresent()) {
      List<String> nodes =
          group.get().nodes().nodes().stream().map(InventorySpec.Node::name).toList();
      new ManagedClocksChecks(values)
          .checkNodes(CLOCKS.name() + ".cpus", nodes, clocks.get().cpus());
    }
  }
}
