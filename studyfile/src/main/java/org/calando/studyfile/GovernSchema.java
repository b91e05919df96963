package org.calando.studyfile;

import java.util.List;
import java.util.Optional;
import org.calando.core.energy.Profiles;
import org.calando.engine.Engines;
import org.calando.engine.StoreSpec;
import org.calando.knob.ManagedClocks;
import org.calando.knob.ManagedClocksChecks;
import org.calando.knob.ManagedClocksSchema;
import org.calando.knob.Point;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/** What the file of {@code calando govern} may say. */
final class GovernSchema {
  /** One for each engine that has servers to govern; exactly one of them is given. */
  static final List<Key<StoreSpec>> SERVERS =
      Engines.all().stream()
          .map(each -> each.schema().servers())
          .flatMap(Optional::stream)
          .toList();

  /** Clocks have times of their own. */
  private static final long PERIOD_NANOS = 10_000_000_000L;

  private static final Key<String> CLOCK =
      Key.of(
              "clock",
              ManagedClocksSchema.POLICY,
              "The policy that decides about the clocks, as in a study's matrix.clock.")
          .byDefault("concerto")
          .example("slack");
  private static final Key<ManagedClocks> CLOCKS =
      Key.of("clocks", ManagedClocksSchema.TYPE, "Which processors the nodes have; as in a study.")
          .mandatory()
          .example("{cpus: {n1: 0, n2: 1, n3: 2}}");

  static final ObjectType<ServiceSpec> TYPE =
      ObjectType.named("the governor", "What ./calando govern governs.")
          .keys(SERVERS.size() == 1 ? List.of(SERVERS.get(0).mandatory()) : SERVERS)
          .keys(CLOCK, CLOCKS)
          .check(GovernSchema::check)
          .build(GovernSchema::build);

  private GovernSchema() {}

  private static Optional<StoreSpec> servers(Values values) {
    return SERVERS.stream().map(values::find).flatMap(Optional::stream).findFirst();
  }

  private static ServiceSpec build(Values values) {
    return ServiceSpec.attended(
        servers(values).orElseThrow(),
        Point.NONE.with(ManagedClocksSchema.AXIS, values.get(CLOCK)),
        new ServiceSpec.Machines(Optional.of(values.get(CLOCKS)), Optional.empty()),
        PERIOD_NANOS,
        Profiles.byName(Profiles.DEFAULT).orElseThrow());
  }

  private static void check(Values values) {
    if (SERVERS.size() > 1) {
      values.requireExactlyOne(SERVERS.toArray(Key<?>[]::new));
    }
    Optional<StoreSpec> group = servers(values);
    Optional<ManagedClocks> clocks = values.find(CLOCKS);
    if (group.isPresent() && clocks.isPresent()) {
      ManagedClocksChecks.checkNodes(values, clocks.get(), group.get());
    }
  }
}
