package org.calando.studyfile;

import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.knob.Axis;
import org.calando.knob.KnobTypes;
import org.calando.knob.Point;
import org.calando.power.schema.PowerSchema;
import org.calando.power.schema.PowerSpec;
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
  private static final int MOST = 100;

  /** 0 to 65535. */
  private static final String PORT =
      "(0|[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])";

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
                  + " study's matrix.control; not yet consistency, gear, clock and write-buffer."
                  + " Without it the cluster is observed, and nothing is set.")
          .example("[{dial: 2}]");
  private static final Key<Long> PERIOD =
      Key.of(
              "period",
              duration(TimeUnit.MILLISECONDS.toNanos(100), TimeUnit.HOURS.toNanos(1)),
              "From one decision of a policy, and one question for requests, to the next.")
          .byDefault("10s")
          .example("10s");
  private static final Key<PowerSpec> POWER =
      Key.of("power", PowerSchema.TYPE, "How its energy is measured, as in a study.")
          .byDefault("{}")
          .example("{meter: model, profile: xeon-x3440}");
  private static final Key<Optional<ServiceSpec.Listen>> LISTEN =
      Key.of(
              "listen",
              mapped(
                  text(
                      "HOST:PORT or off",
                      "off|(127(\\.\\d{1,3}){3}|localhost|\\[::1]):" + PORT,
                      "an address of this machine's loopback and a port, 0 for any; or off"),
                  ClusterGovernSchema::listen),
              "Where /metrics, /healthz, /readyz and /api/v1/ can be asked for.")
          .byDefault("127.0.0.1:" + ServiceSpec.USUAL_PORT)
          .example("127.0.0.1:7475");

  /** What is said beside the store. */
  private record Own(String name, Point control, long periodNanos, PowerSpec power) {
    ServiceSpec.Cluster of(StoreSpec store) {
      return new ServiceSpec.Cluster(name, store, control, periodNanos, power);
    }
  }

  private static final ObjectType<Own> OWN =
      ObjectType.named(
              "a governed cluster",
              "A cluster of yours and its knobs; besides these keys those of a study's store.")
          .keys(NAME, CONTROL, PERIOD, POWER)
          .check(ClusterGovernSchema::check)
          .build(
              own ->
                  new Own(
                      own.get(NAME),
                      own.find(CONTROL).stream()
                          .flatMap(List::stream)
                          .reduce(Point.NONE, (all, one) -> all.with(one)),
                      own.get(PERIOD),
                      own.get(POWER)));

  private static final Key<List<ServiceSpec.Cluster>> CLUSTERS =
      Key.of("clusters", list(new Cluster(), 1, MOST), "The clusters, of different names.")
          .mandatory()
          .example("[{name: shop, engine: cassandra, inventory: shop.yaml, control: [{dial: 2}]}]");

  static final ObjectType<ServiceSpec> TYPE =
      ObjectType.named("the governor of clusters", "What ./calando govern governs of clusters.")
          .keys(CLUSTERS, LISTEN)
          .check(ClusterGovernSchema::checkNames)
          .build(values -> new ServiceSpec(values.get(CLUSTERS), values.get(LISTEN)));

  private ClusterGovernSchema() {}

  private static Optional<ServiceSpec.Listen> listen(String text) {
    if (text.equals("off")) {
      return Optional.empty();
    }
    int colon = text.lastIndexOf(':');
    String address = text.substring(0, colon);
    return Optional.of(
        new ServiceSpec.Listen(
            address.equals("localhost") ? "127.0.0.1" : address,
            Integer.parseInt(text.substring(colon + 1))));
  }

  private static void checkNames(Values file) {
    List<String> names =
        file.find(CLUSTERS).stream().flatMap(List::stream).map(ServiceSpec.Cluster::name).toList();
    for (int i = 0; i < names.size(); i++) {
      if (names.indexOf(names.get(i)) < i) {
        file.errorAt(
            CLUSTERS.name() + "[" + i + "].name",
            "is " + names.get(i) + ", as that of another cluster is",
            "give each a name of its own");
      }
    }
  }

  private static void check(Values own) {
    long interval = own.find(POWER).map(PowerSpec::intervalNanos).orElse(0L);
    if (own.find(PERIOD).orElse(Long.MAX_VALUE) < interval && own.given(POWER)) {
      own.error(PERIOD, "is shorter than power.interval", "write that or more");
    }
    if (!own.given(CONTROL)) {
      return;
    }
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
  private static final class Cluster implements Type<ServiceSpec.Cluster> {
    private static final Set<String> OWN_KEYS =
        Set.of(NAME.name(), CONTROL.name(), PERIOD.name(), POWER.name());

    @Override
    public @Nullable Bound<ServiceSpec.Cluster> bind(Tree tree, Binding at) {
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
