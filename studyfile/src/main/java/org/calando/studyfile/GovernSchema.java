package org.calando.studyfile;

import static org.calando.schema.Types.choiceOrLater;

import java.util.List;
import java.util.Optional;
import org.calando.core.policy.clock.ClockPolicies;
import org.calando.engine.Engines;
import org.calando.engine.InventorySpec;
import org.calando.engine.ServerGroup;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/** What the file of {@code calando govern} may say. */
final class GovernSchema {
  /** One for each engine that has servers to govern; exactly one of them is given. */
  static final List<? extends Key<? extends ServerGroup>> SERVERS =
      Engines.all().stream()
          .map(each -> each.schema().servers())
          .flatMap(Optional::stream)
          .toList();

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
          .keys(SERVERS.size() == 1 ? List.of(SERVERS.get(0).mandatory()) : SERVERS)
          .keys(CLOCK, CLOCKS)
          .check(GovernSchema::check)
          .build(
              values ->
                  new GovernSpec(
                      servers(values).orElseThrow(), values.get(CLOCK), values.get(CLOCKS)));

  private GovernSchema() {}

  private static Optional<ServerGroup> servers(Values values) {
    return SERVERS.stream()
        .map(key -> values.find(key).<ServerGroup>map(found -> found))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static void check(Values values) {
    if (SERVERS.size() > 1) {
      values.requireExactlyOne(SERVERS.toArray(Key<?>[]::new));
    }
    Optional<ServerGroup> group = servers(values);
    Optional<ManagedClocks> clocks = values.find(CLOCKS);
    if (group.isPresent() && clocks.isPresent()) {
      List<String> nodes =
          group.get().servers().nodes().stream().map(InventorySpec.Node::name).toList();
      new ManagedClocksChecks(values)
          .checkNodes(CLOCKS.name() + ".cpus", nodes, clocks.get().cpus());
    }
  }
}
