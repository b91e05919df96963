package org.calando.studyfile;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.calando.core.observe.ClientUse;
import org.calando.engine.Feature;
import org.calando.engine.GearSettings;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.knob.Axis;
import org.calando.knob.GearSchema;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobChoice;
import org.calando.knob.KnobTypes;
import org.calando.knob.ManagedClocks;
import org.calando.knob.ManagedClocksChecks;
import org.calando.knob.ManagedClocksSchema;
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
import org.calando.studyfile.service.ListenKeys;
import org.calando.studyfile.service.NotifyKeys;
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
  private static final Key<Boolean> LOCAL =
      Key.of(
              "local",
              bool(),
              "The engine's cluster of ./calando local start, in place of an inventory.")
          .byDefault("false")
          .example("true");
  private static final Key<List<Point>> CONTROL =
      Key.of(
              "control",
              list(ControlSchema.SETTING, 1, Axes.KNOBS.size()),
              "Knobs of the cluster, each by a policy or at a value that is held, in the form of a"
                  + " study's matrix.control; not yet consistency and write-buffer. clock needs"
                  + " clocks. Without it the cluster is observed, and nothing is set.")
          .example("[{dial: 2}]");
  private static final Key<ManagedClocks> CLOCKS =
      Key.of(
              "clocks",
              ManagedClocksSchema.TYPE,
              "Which processors the nodes have, where control has clock; as in a study.")
          .example("{cpus: {n1: 0, n2: 1, n3: 2}}");
  private static final Key<List<Point>> CONSIDER =
      Key.of(
              "consider",
              list(ControlSchema.SETTING, 1, Axes.KNOBS.size()),
              "Policies of its knobs, in the form of control, that decide and set nothing: what"
                  + " they would set is reported, and what a gear would save.")
          .example("[{climb: {most: 3}}]");
  private static final Key<Long> PERIOD =
      Key.of(
              "period",
              duration(TimeUnit.MILLISECONDS.toNanos(100), TimeUnit.HOURS.toNanos(1)),
              "Time between decisions of a policy, and between polls of requests.")
          .byDefault("10s")
          .example("10s");
  private static final Key<PowerSpec> POWER =
      Key.of("power", PowerSchema.TYPE, "How its energy is measured, as in a study.")
          .byDefault("{}")
          .example("{meter: model, profile: xeon-x3440}");
  private static final Key<GearSettings> GEARS =
      Key.of(
              "gears",
              GearGovernSchema.SETTINGS,
              "The cluster's model for a policy of gears; required with gear in control or"
                  + " consider.")
          .example("{capacity: 60MB}");
  private static final Key<ClusterPromise> PROMISE =
      Key.of(
              "promise",
              ClusterPromiseSchema.TYPE,
              "What its clients are promised: kept or not is reported, and nothing is set for it.")
          .example("{stale: 1%, read-p99: 50ms}");
  private static final Key<ClientUse> CLIENTS =
      Key.of("clients", ClientsSchema.TYPE, "What its clients do that no node reports.")
          .byDefault("{}")
          .example("{reads: ONE, writes: QUORUM}");
  private static final Key<Boolean> SESSIONS =
      Key.of(
              "sessions",
              bool(),
              "Whether the governor decides the levels of reads for applications' sessions that"
                  + " name it (governedBy), beside control or without it. It measures the"
                  + " keyspaces of the tables that they name while they read.")
          .byDefault("false")
          .example("true");
  private static final ListenKeys LISTENS =
      ListenKeys.of(
          "Where /metrics, /healthz, /readyz and /api/v1/ can be asked for.",
          ServiceSpec.USUAL_PORT);

  /** What is said beside the store. */
  private record Own(
      String name,
      Point control,
      Optional<ManagedClocks> clocks,
      long periodNanos,
      PowerSpec power,
      Optional<GearSettings> gears,
      ClusterPromise promise,
      ClientUse clients,
      boolean sessions,
      Point considered) {
    ServiceSpec.Cluster of(StoreSpec store) {
      return new ServiceSpec.Cluster(
          name,
          store,
          control,
          new ServiceSpec.Machines(clocks, gears),
          periodNanos,
          power,
          promise,
          clients,
          sessions,
          considered);
    }
  }

  private static final ObjectType<Own> OWN =
      ObjectType.named(
              "a governed cluster",
              "A cluster of yours and its knobs; besides these keys those of a study's store.")
          .keys(
              NAME, LOCAL, CONTROL, CLOCKS, PERIOD, POWER, GEARS, PROMISE, CLIENTS, SESSIONS,
              CONSIDER)
          .check(ClusterGovernSchema::check)
          .build(
              own ->
                  new Own(
                      own.get(NAME),
                      point(own, CONTROL),
                      own.find(CLOCKS),
                      own.get(PERIOD),
                      own.get(POWER),
                      own.find(GEARS),
                      own.find(PROMISE).orElse(ClusterPromise.NONE),
                      own.get(CLIENTS),
                      own.get(SESSIONS),
                      point(own, CONSIDER)));

  private static final Key<List<ServiceSpec.Cluster>> CLUSTERS =
      Key.of("clusters", list(new Cluster(), 1, 100), "The clusters, of different names.")
          .mandatory()
          .example("[{name: shop, engine: cassandra, inventory: shop.yaml, control: [{dial: 2}]}]");

  static final ObjectType<ServiceSpec> TYPE =
      ObjectType.named("the governor of clusters", "What ./calando govern governs of clusters.")
          .keys(CLUSTERS, LISTENS.address(), LISTENS.tls(), LISTENS.tokens(), NotifyKeys.NOTIFY)
          .check(
              file -> {
                checkNames(file);
                LISTENS.check(file);
              })
          .build(v -> ServiceSpec.of(v.get(CLUSTERS), LISTENS.find(v), v.find(NotifyKeys.NOTIFY)));

  private ClusterGovernSchema() {}

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
    if (own.find(LOCAL).orElse(false)) {
      own.error(LOCAL, "given beside an inventory, or without an engine", "keep one of them");
    }
    long interval = own.find(POWER).map(PowerSpec::intervalNanos).orElse(0L);
    if (own.find(PERIOD).orElse(Long.MAX_VALUE) < interval && own.given(POWER)) {
      own.error(PERIOD, "is shorter than power.interval", "write that or more");
    }
    ClusterPromiseSchema.checkSessions(own, SESSIONS, PROMISE, CLIENTS);
    checkGears(own);
    checkClocks(own);
    checkKnobs(own, CONTROL);
    checkKnobs(own, CONSIDER);
    List<Axis<?>> controlled = new ArrayList<>();
    for (int i = 0; i < own.items(CONTROL.name()); i++) {
      controlled.addAll(ControlSchema.axes(own, CONTROL.name() + "[" + i + "]"));
    }
    for (int i = 0; i < own.items(CONSIDER.name()); i++) {
      String path = CONSIDER.name() + "[" + i + "]";
      own.peek(path, ControlSchema.SETTING)
          .ifPresent(point -> consider(own, path, point, controlled));
    }
  }

  private static void consider(Values own, String path, Point point, List<Axis<?>> controlled) {
    for (Axis<?> axis : point.axes()) {
      if (controlled.contains(axis)) {
        own.errorAt(path, "decides on " + axis + ", as control does", "keep one of them");
      }
    }
    List<Axis<?>> held = new ArrayList<>();
    for (KnobAxis<?> knob : KnobTypes.all()) {
      point.find(knob.axis()).flatMap(KnobChoice::held).ifPresent(value -> held.add(knob.axis()));
    }
    point
        .find(GearSchema.AXIS)
        .filter(gear -> gear.isFixed())
        .ifPresent(gear -> held.add(GearSchema.AXIS));
    held.forEach(
        axis ->
            own.errorAt(
                path, "is a value of " + axis + ", which decides nothing", "write a policy"));
  }

  private static Point point(Values own, Key<List<Point>> key) {
    return own.find(key).stream()
        .flatMap(List::stream)
        .reduce(Point.NONE, (all, one) -> all.with(one));
  }

  private static void checkKnobs(Values own, Key<List<Point>> key) {
    if (!own.given(key)) {
      return;
    }
    ControlSchema.checkDisjoint(own, key.name());
    Set<Axis<?>> governed =
        KnobTypes.all().stream().map(knob -> knob.axis()).collect(Collectors.toSet());
    governed.add(GearSchema.AXIS);
    if (key.equals(CONTROL)) {
      governed.add(ManagedClocksSchema.AXIS);
    }
    for (int i = 0; i < own.items(key.name()); i++) {
      String path = key.name() + "[" + i + "]";
      for (Axis<?> axis : ControlSchema.axes(own, path)) {
        if (!governed.contains(axis)) {
          own.errorAt(
              path,
              key.equals(CONTROL)
                  ? "sets " + axis + ", which is not governed for clusters yet"
                  : "decides on " + axis + ", which is decided in control only",
              key.equals(CONTROL) ? "leave it out" : "leave it out, or write it in control");
        }
      }
    }
  }

  private static boolean has(Values own, Key<?> key, Axis<?> axis) {
    return IntStream.range(0, own.items(key.name()))
        .mapToObj(i -> ControlSchema.axes(own, key.name() + "[" + i + "]"))
        .anyMatch(axes -> axes.contains(axis));
  }

  private static void checkClocks(Values own) {
    if (has(own, CONTROL, ManagedClocksSchema.AXIS)) {
      own.require("write on which processors the nodes run", CLOCKS);
    } else if (own.given(CLOCKS)) {
      own.error(CLOCKS, "given, though control has no clock", "add clock to control, or remove it");
    }
  }

  private static void checkGears(Values own) {
    boolean governed = has(own, CONTROL, GearSchema.AXIS) || has(own, CONSIDER, GearSchema.AXIS);
    if (governed && !own.given(GEARS)) {
      own.error(GEARS, "is missing", "write what a node serves: gears: {capacity: 60MB}");
    }
    if (!governed && own.given(GEARS)) {
      own.error(
          GEARS,
          "given, though control has no gear, nor has consider",
          "add gear to control, or remove it");
    }
  }

  /** The keys above beside those of a study's store. */
  private static final class Cluster implements Type<ServiceSpec.Cluster> {
    private static final Set<String> OWN_KEYS =
        Set.of(
            NAME.name(),
            LOCAL.name(),
            CONTROL.name(),
            CLOCKS.name(),
            PERIOD.name(),
            POWER.name(),
            GEARS.name(),
            PROMISE.name(),
            CLIENTS.name(),
            SESSIONS.name(),
            CONSIDER.name());

    @Override
    public @Nullable Bound<ServiceSpec.Cluster> bind(Tree tree, Binding at) {
      if (!(tree instanceof Tree.Mapping mapping)) {
        at.error(
            tree.where(), "is " + tree.shape() + ", not " + label(), "write its keys below it");
        return null;
      }
      Bound<Own> own = OWN.bind(part(mapping, true), at);
      Bound<StoreSpec> store = StoreSchema.GOVERNED.bind(part(mapping, false), at);
      if (own == null || store == null) {
        return null;
      }
      if (own.value().sessions() && !store.value().supports(Feature.LEVEL_POLICIES)) {
        at.error(
            tree.where(),
            "has sessions: true, which is not supported by " + store.value().engine(),
            "leave sessions out");
        return null;
      }
      if (store.value().inventory().isEmpty()) {
        at.error(
            tree.where(),
            "has no inventory",
            "name the cluster's; ./calando local start writes one of its own");
        return null;
      }
      if (own.value().clocks().isPresent()) {
        ManagedClocksChecks.checkGoverned(tree, at, own.value().clocks().get(), store.value());
      }
      checkPeriod(mapping, at, own.value(), store.value());
      return new Bound<>(own.value().of(store.value()), own.plain());
    }

    /** Looked at as often, the counts of most periods would be those of the period before. */
    private static void checkPeriod(Tree.Mapping cluster, Binding at, Own own, StoreSpec store) {
      Duration reports = store.kind().reportsEach();
      if (own.periodNanos() <= reports.toNanos()) {
        at.key(PERIOD.name())
            .error(
                cluster.find(PERIOD.name()).map(Tree.Entry::where).orElse(cluster.where()),
                "is not more than the %d s in which nodes of %s report their requests"
                    .formatted(reports.toSeconds(), store.engine()),
                "write more, such as 10s");
      }
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
