package org.calando.studyfile;

import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.knob.Axis;
import org.calando.knob.KnobTypes;
import org.calando.knob.Point;
import org.calando.schema.Binding;
import org.calando.schema.Bound;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Tree;
import org.calando.schema.Type;
import org.calando.schema.Values;
import org.jspecify.annotations.Nullable;

/** What the file of {@code calando govern} may say of clusters and their knobs. */
final class ClusterGovernSchema {
  private static final Key<String> NAME =
      Key.of(
              "name",
              text("a name", "[a-z0-9-]{1,63}", "lower-case letters, digits and - (at most 63)"),
              "What messages call the cluster.")
          .mandatory()
          .example("shop");
  private static final Key<List<Point>> CONTROL =
      Key.of(
              "control",
              list(ControlSchema.SETTING, 1, Axes.KNOBS.size()),
              "Knobs of the cluster, each by a policy or at a value that is held, in the form of a"
                  + " study's matrix.control; not yet consistency, gear, clock and write-buffer.")
          .mandatory()
          .example("[{dial: 2}]");
  private static final Key<Long> PERIOD =
      Key.of(
              "period",
              duration(TimeUnit.MILLISECONDS.toNanos(100), TimeUnit.HOURS.toNanos(1)),
              "From one decision of a policy to the next.")
          .byDefault("10s")
          .example("10s");

  /** What is said beside the store. */
  private record Own(String name, Point control, long periodNanos) {
    ClusterGovernSpec of(StoreSpec store) {
      return new ClusterGovernSpec(name, store, control, periodNanos);
    }
  }

  private static final ObjectType<Own> OWN =
      ObjectType.named(
              "a governed cluster",
              "A cluster of yours and its knobs; besides these keys those of a study's store.")
          .keys(NAME, CONTROL, PERIOD)
          .check(ClusterGovernSchema::check)
          .build(
              own ->
                  new Own(
                      own.get(NAME),
                      own.get(CONTROL).stream().reduce(Point.NONE, (all, one) -> all.with(one)),
                      own.get(PERIOD)));

  private static final Key<List<ClusterGovernSpec>> CLUSTERS =
      Key.of("clusters", list(new Cluster(), 1, 1), "The clusters; one for now.")
          .mandatory()
          .example("[{name: shop, engine: cassandra, inventory: shop.yaml, control: [{dial: 2}]}]");

  static final ObjectType<ClusterGovernSpec> TYPE =
      ObjectType.named("the governor of clusters", "What ./calando govern governs of clusters.")
          .keys(CLUSTERS)
          .build(values -> values.get(CLUSTERS).get(0));

  private ClusterGovernSchema() {}

  private static void check(Values own) {
    ControlSchema.checkDisjoint(own, CONTROL.name());
    Set<Axis<?>> governed =
        KnobTypes.all().stream().map(knob -> knob.axis()).collect(Collectors.toSet());
    for (int i = 0; i < own.items(CONTROL.name()); i++) {
      String path = CONTROL.name() + "[" + i + "]";
      for (Axis<?> axis : ControlSchema.axes(own, path)) {
        if (!governed.contains(axis)) {
          own.errorAt(
              path,
              "sets " + axis + ", which is not governed for clusters yet",
              "write the file's key redis for clocks, gears for gears");
        }
      }
    }
  }

  /** The keys above beside those of a study's store. */
  private static final class Cluster implements Type<ClusterGovernSpec> {
    private static final Set<String> OWN_KEYS = Set.of(NAME.name(), CONTROL.name(), PERIOD.name());

    @Override
    public @Nullable Bound<ClusterGovernSpec> bind(Tree tree, Binding at) {
      if (!(tree instanceof Tree.Mapping mapping)) {
        at.error(
            tree.where(), "is " + tree.shape() + ", not " + label(), "write its keys below it");
        return null;
      }
      Bound<Own> own = OWN.bind(part(mapping, true), at);
      Bound<StoreSpec> store = StoreSchema.TYPE.bind(part(mapping, false), at);
      if (own == null || store == null) {
        return null;
      }
      if (store.value().inventory().isEmpty()) {
        at.error(
            tree.where(),
            "has no inventory",
            "name the cluster's; ./calando local start writes one of its own");
        return null;
      }
      return new Bound<>(own.value().of(store.value()), own.plain());
    }

    private static Tree.Mapping part(Tree.Mapping mapping, boolean own) {
      return new Tree.Mapping(
          mapping.where(),
          mapping.entries().stream()
              .filter(entry -> OWN_KEYS.contains(entry.name()) == own)
              .toList());
    }

    @Override
    public String label() {
      return OWN.label();
    }

    @Override
    public String range() {
      return "";
    }

    @Override
    public Map<String, Object> jsonSchema() {
      Map<String, Object> schema = new LinkedHashMap<>(OWN.jsonSchema());
      schema.put("additionalProperties", true);
      return schema;
    }

    @Override
    public void objects(String path, BiConsumer<String, ObjectType<?>> visitor) {
      OWN.objects(path, visitor);
    }
  }
}
