package org.calando.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.calando.core.CalandoException;
import org.calando.core.CalandoException.Problem;
import org.calando.core.observe.ClientRequests;
import org.calando.core.observe.TableTelemetry;
import org.calando.engine.EngineSchema.Section;
import org.calando.schema.Documents;
import org.calando.schema.Key;

/**
 * What each engine keeps to without a cluster: what it says of itself, its keys, its features, and
 * what is refused. {@link ClusterKit} has what its clusters keep to.
 */
public final class EngineKit {
  /** A check; its name says what is broken when it fails. */
  public interface Check {
    /** Fails if that is so. */
    void run() throws Exception;
  }

  /** Nobody offers it. */
  private interface Nothing {}

  /** A key that engines share, a value, the feature that it needs, and what it needs besides. */
  private record Shared(String kind, String path, String value, Feature feature, String more) {
    Shared(String kind, String path, String value, Feature feature) {
      this(kind, path, value, feature, path + "=" + value);
    }

    List<Problem> problems(KitFile file) {
      return file.problems(kind, path + "=" + value, more);
    }

    boolean isOf(KitFile file) {
      return file.has(kind);
    }
  }

  private static final List<Shared> SHARED =
      List.of(
          new Shared("started", "local.racks", "2", Feature.RACKS),
          new Shared("started", "local.link-delay", "1ms", Feature.LINK_DELAYS),
          new Shared("started", "local.auth", "true", Feature.USERS),
          new Shared("started", "local.tls", "true", Feature.TLS),
          new Shared("started", "local.layout", "half", Feature.TOKEN_LAYOUTS),
          new Shared("started", "local.layout", "paraid", Feature.BLOCK_LAYOUTS),
          new Shared("reached", "local-dc", "dc1", Feature.DATA_CENTRES),
          new Shared("reached", "user", "u", Feature.USERS, "password-file=secret"),
          new Shared("reached", "tls", "{}", Feature.TLS));

  private static final Pattern ID = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

  /** What of a key's meaning asks for a unit. */
  private static final Pattern MEASURED =
      Pattern.compile("(?i)\\b(timeout|delay|interval|heap|bytes|duration|how long)\\b");

  /** How it is said that something is another engine's. */
  private static final Pattern UNSUPPORTED =
      Pattern.compile("is not supported by|is supported only by|is no layout of");

  private static final Set<String> PLAIN_NUMBERS = Set.of("integer", "number");

  private final Engine engine;
  private final KitFile file;
  private final Path folder;

  /**
   * A kit.
   *
   * @param engine one of {@link Engines#all}
   * @param file the least that files say of it, see {@link KitFile}
   * @param folder an empty one
   */
  public EngineKit(Engine engine, Path file, Path folder) {
    this.engine = engine;
    this.file = KitFile.read(engine, file);
    this.folder = folder;
  }

  /** All checks by what is broken when they fail, in their order. */
  public Map<String, Check> checks() {
    Map<String, Check> checks = new LinkedHashMap<>();
    checks.put("id and title are well-formed, and its own", this::hasItsOwnName);
    checks.put(
        "each key has a meaning, a unit, an example and a default that it takes", this::keys);
    checks.put("the least that a file says of it binds", this::leastBinds);
    checks.put("a wrong value is refused where it is, with a remedy", this::refusesWrongValues);
    checks.put("a key of another engine is refused by name", this::refusesOthersKeys);
    checks.put("features agree with the shared keys that it takes", this::takesSharedKeys);
    checks.put("features agree with what starts and reaches clusters", this::hasMeans);
    checks.put("features agree with the capabilities of its clusters", this::hasCapabilities);
    checks.put("a wrong inventory is refused where it is, with a remedy", this::refusesInventories);
    checks.put(
        "doctor reports a cluster that does not answer, and changes nothing", this::examines);
    checks.put(
        "a machine that lacks something is refused, and nothing starts", this::looksAtMachine);
    return checks;
  }

  private void hasItsOwnName() {
    assertThat(engine.id()).matches(ID).hasSizeLessThan(20);
    assertThat(engine.title()).isNotBlank().isEqualTo(engine.title().strip());
    for (Engine other : Engines.all()) {
      assertThat(other.later()).doesNotContain(engine.id());
      if (!other.getClass().equals(engine.getClass())) {
        assertThat(engine.id()).isNotEqualTo(other.id());
        assertThat(engine.title()).isNotEqualToIgnoringCase(other.title());
        assertThat(engine.later()).doesNotContain(other.id());
      }
    }
  }

  private static Stream<Key<?>> keys(Engine engine, Section section) {
    return engine.schema().keys(section).stream().flatMap(keys -> keys.keys().stream());
  }

  private void keys() {
    SoftAssertions all = new SoftAssertions();
    for (Section section : Section.values()) {
      for (EngineSchema.Keys keys : engine.schema().keys(section)) {
        for (Key<?> key : keys.keys()) {
          all.assertThat(key.doc()).as("meaning of %s", key.name()).endsWith(".");
          all.assertThat(key.example()).as("example of %s", key.name()).isNotBlank();
          all.assertThatCode(() -> bind(key, key.example()))
              .as(key.name())
              .doesNotThrowAnyException();
          all.assertThatCode(key::defaultValue).as(key.name()).doesNotThrowAnyException();
          if (MEASURED.matcher(key.name() + " " + key.doc()).find()) {
            all.assertThat(PLAIN_NUMBERS)
                .as("%s takes a number without a unit", key.name())
                .doesNotContain(String.valueOf(key.type().jsonSchema().get("type")));
          }
          if (section == Section.LOCAL && keys.place() == Engine.LAST) {
            all.assertThat(key.defaultText())
                .as("default of %s in fingerprints", key.name())
                .isEmpty();
          }
        }
      }
    }
    all.assertAll();
  }

  private static void bind(Key<?> key, String yaml) {
    Documents.read(key.type(), yaml, "example", Path.of(""), List.of());
  }

  private void leastBinds() {
    for (String kind : List.of("started", "reached", "simulated")) {
      if (file.has(kind)) {
        StoreSpec store = file.bind(kind, 1);
        assertThat(store.kind()).isSameAs(engine);
        assertThat(store.nodes()).as("nodes of what is %s", kind).isPositive();
        assertThat(store.replicationFactor()).isPositive();
        assertThat(store.local().isPresent()).isEqualTo(kind.equals("started"));
        assertThat(store.inventory().isPresent()).isEqualTo(kind.equals("reached"));
      }
    }
  }

  private void refusesWrongValues() {
    for (String kind : file.stores().stringPropertyNames()) {
      keys(engine, Section.STORE).forEach(key -> assertRefused(kind, key.name(), "[[[]]]"));
    }
    if (file.has("started")) {
      keys(engine, Section.LOCAL)
          .forEach(key -> assertRefused("started", "local." + key.name(), "[[[]]]"));
    }
    if (file.has("reached")) {
      keys(engine, Section.INVENTORY)
          .forEach(key -> assertRefused("reached", "inventory." + key.name(), "[[[]]]"));
    }
  }

  /** What is said of a value that is refused. */
  private List<Problem> assertRefused(String kind, String path, String value) {
    List<Problem> problems = file.problems(kind, path + "=" + value);
    List<Problem> there =
        problems.stream()
            .filter(problem -> (problem.where() + problem.what()).contains(path))
            .toList();
    assertThat(there).as("%s: %s is refused, not %s", path, value, problems).isNotEmpty();
    return there;
  }

  /** What is as by default may stand, as studies whose defaults are filled in have it. */
  private void refusesOthersKeys() {
    for (Engine other : Engines.all()) {
      if (other.id().equals(engine.id())) {
        continue;
      }
      for (String kind : file.stores().stringPropertyNames()) {
        keys(other, Section.STORE)
            .filter(key -> !Engines.keys(engine, Section.STORE).contains(key))
            .forEach(key -> assertNotSupported(kind, key.name(), key.example()));
      }
      if (file.has("started")) {
        keys(other, Section.LOCAL)
            .filter(key -> !key.defaultText().equals(Optional.of(key.example())))
            .forEach(key -> assertNotSupported("started", "local." + key.name(), key.example()));
      }
    }
  }

  private void assertNotSupported(String kind, String path, String value) {
    assertThat(assertRefused(kind, path, value))
        .as(path)
        .anyMatch(
            problem -> UNSUPPORTED.matcher(problem.what()).find() && !problem.remedy().isBlank());
  }

  private void takesSharedKeys() {
    for (Shared shared : SHARED) {
      if (shared.isOf(file) && engine.supports(shared.feature())) {
        assertThat(shared.problems(file))
            .as("%s is claimed, so %s is taken", shared.feature(), shared.path())
            .isEmpty();
      } else if (shared.isOf(file)) {
        assertNotSupported(shared.kind(), shared.path(), shared.value());
      }
    }
  }

  /** What is not claimed is not carried out, and what is claimed has a sample in the file. */
  private void hasMeans() {
    assertMeans(Feature.LOCAL, "started", overrides("start"));
    assertMeans(Feature.LOCAL, "started", overrides("requireStartable"));
    assertMeans(Feature.LOCAL, "started", !engine.needs().isBlank());
    assertThat(overrides("reach"))
        .as("%s is carried out", Feature.GOVERNED)
        .isEqualTo(engine.supports(Feature.GOVERNED));
    assertMeans(Feature.INVENTORY, "reached", engine.supports(Feature.INVENTORY));
    if (engine.supports(Feature.INVENTORY)) {
      assertThat(engine.supports(Feature.GOVERNED)).as("what is studied is governed").isTrue();
    }
    assertThat(file.has("simulated")).isEqualTo(engine.supports(Feature.SIMULATED));
    if (engine.supports(Feature.INVENTORY)) {
      assertThat(engine.schema().port()).as("usual port of nodes of an inventory").isPresent();
    }
  }

  private void assertMeans(Feature feature, String kind, boolean there) {
    assertThat(there).as("%s is carried out", feature).isEqualTo(engine.supports(feature));
    assertThat(file.has(kind))
        .as("%s stands in its file", kind)
        .isEqualTo(engine.supports(feature));
  }

  private boolean overrides(String method) {
    return Arrays.stream(engine.getClass().getDeclaredMethods())
        .anyMatch(each -> each.getName().equals(method));
  }

  private void hasCapabilities() {
    if (file.has("reached")) {
      requireCapabilities(engine, reach());
    }
  }

  private InventoryTarget reach() {
    StoreSpec store = file.bind("reached", closedPort());
    return engine.reach(store, KitFile.power().profile(), folder);
  }

  /**
   * Checks that a cluster offers what its engine's features promise, and no more.
   *
   * @param target it needs not be reached
   */
  static void requireCapabilities(Engine engine, Target target) {
    Map<Feature, Class<?>> offered =
        Map.of(
            Feature.FILES, FileTarget.class,
            Feature.GEARS, GearControl.Source.class,
            Feature.LEVEL_POLICIES, TableTelemetry.Source.class,
            Feature.CLOCKS_BY_ROLE, RoledServers.class,
            Feature.REQUEST_COUNTS, ClientRequests.Source.class);
    offered.forEach(
        (feature, capability) ->
            assertThat(target.find(capability).isPresent())
                .as("%s is claimed, and %s offered", feature, capability.getSimpleName())
                .isEqualTo(engine.supports(feature)));
    assertThat(target.find(Nothing.class)).as("a capability that nobody has").isEmpty();
    assertThatThrownBy(() -> target.find(String.class))
        .as("a class is no capability")
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void refusesInventories() {
    if (!file.has("reached")) {
      return;
    }
    assertThat(file.bind("reached", 1).inventory().orElseThrow().nodes()).isNotEmpty();
    assertRemedied("inventory.nodes", "[]");
    assertRemedied("inventory.nodes", "[{name: n1}]");
    assertRemedied(
        "inventory.nodes", "[{name: n1, address: a, port: 1}, {name: n1, address: b, port: 1}]");
    assertRemedied("inventory.nodes", "[{name: n1, address: a}, {name: n2, address: a}]");
  }

  private void assertRemedied(String path, String value) {
    List<Problem> problems = file.problems("reached", path + "=" + value);
    assertThat(problems).as("%s: %s is refused", path, value).isNotEmpty();
    for (Problem problem : problems) {
      assertThat(problem.where()).as("where %s is wrong", value).contains("inventory");
      assertThat(problem.what()).isNotBlank();
    }
  }

  private void examines() throws IOException {
    if (!file.has("reached")) {
      return;
    }
    Set<Path> before = files();
    List<Finding> findings;
    try (InventoryTarget target = reach()) {
      assertThat(target.nodes()).isNotEmpty();
      findings = target.examine(Optional.empty());
    }
    assertThat(findings).as("a cluster that does not answer").anyMatch(found -> !found.ok());
    for (Finding found : findings) {
      assertThat(found.subject()).isNotBlank();
      assertThat(found.text()).as(found.subject()).doesNotContain("\tat ", "java.lang.");
      if (!found.ok()) {
        assertThat(found.text()).as(found.subject()).contains("remedy: ");
      }
    }
    assertThat(files()).isEqualTo(before);
  }

  private Set<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.collect(Collectors.toSet());
    }
  }

  private void looksAtMachine() throws IOException {
    if (!file.has("started")) {
      return;
    }
    Set<Path> files = files();
    Set<Long> before = descendants();
    CalandoException refused =
        catchThrowableOfType(CalandoException.class, () -> engine.requireStartable(file.request()));
    if (refused != null) {
      assertThat(refused.problems()).allMatch(problem -> !problem.what().isBlank());
      assertThat(refused.problems()).allMatch(problem -> !problem.remedy().isBlank());
    }
    Set<Long> after = descendants();
    after.removeAll(before);
    assertThat(after).as("processes that a look has started").isEmpty();
    assertThat(files()).isEqualTo(files);
  }

  private static Set<Long> descendants() {
    Set<Long> pids = new HashSet<>();
    ProcessHandle.current().descendants().forEach(each -> pids.add(each.pid()));
    return pids;
  }

  /** A port of this machine where nobody listens. */
  private static int closedPort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
