package org.calando.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.observe.ClientRequests;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.core.observe.ClientRequests.Counts;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.DeferredWrites;
import org.calando.core.store.FileStore;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.Outcome;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.TableSpec;
import org.calando.core.store.WriteBuffering;
import org.calando.engine.EngineKit.Check;
import org.jspecify.annotations.Nullable;

/**
 * What clusters of each engine keep to, on one that is started for it: its nodes, what a store of
 * keys or of files promises, that a killed node is reported and comes back, and that nothing is
 * left. The checks are carried out in their order, the last one whatever the others found.
 */
public final class ClusterKit {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final long PAUSE_NANOS = 200_000_000;
  private static final long ASKED = 30;

  /** Requests of the checks before, at most. */
  private static final long EARLIER = 30;

  private static final TableSpec TABLE = new TableSpec("kit", 2, "field");
  private static final FileStore.Shape SHAPE = new FileStore.Shape(1, 1 << 20);

  private record End(int slot, Outcome outcome, long version) {}

  private final Engine engine;
  private final ClusterRequest request;
  private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
  private final Set<ProcessHandle> processes = new HashSet<>();
  private @Nullable Target started;

  /**
   * A kit.
   *
   * @param engine one of {@link Engines#all} that starts clusters
   * @param file the least that files say of it
   */
  public ClusterKit(Engine engine, Path file) {
    this.engine = engine;
    this.request = KitFile.read(engine, file).request();
  }

  /** All checks by what is broken when they fail, in their order. */
  public Map<String, Check> checks() {
    Map<String, Check> checks = new LinkedHashMap<>();
    checks.put("a cluster starts", () -> started = engine.start(request));
    checks.put("each node has a name, an address and a process", this::hasNodes);
    checks.put("features agree with the capabilities of a cluster", this::hasCapabilities);
    if (engine.supports(Feature.FILES)) {
      checks.put("it says its version", () -> assertVersion(((FileTarget) target()).engine()));
      checks.put("what is written to a file is read back", this::keepsFiles);
      checks.put("a request for a file that cannot be is refused", this::refusesFiles);
    } else {
      checks.put("it says its version", () -> withStore(store -> assertVersion(store.engine())));
      checks.put(
          "a key is written, read, replaced and absent as it is", () -> withStore(this::keeps));
      checks.put("features agree with the sessions that it opens", () -> withStore(this::opens));
      checks.put("sessions and stores are closed twice", this::closesTwice);
    }
    if (engine.supports(Feature.REQUEST_COUNTS)) {
      checks.put("its nodes count what a client asks", this::countsRequests);
    }
    checks.put("a killed node is reported, and heal brings it back", this::heals);
    checks.put("close ends all that was started, and only that", this::leavesNothing);
    return checks;
  }

  private Target target() {
    return Objects.requireNonNull(started, "no cluster has started");
  }

  private static void assertVersion(String version) {
    assertThat(version).as("version").matches("\\w+ v?\\d[\\w.+-]*.*");
  }

  private void hasNodes() {
    List<Target.Node> nodes = target().nodes();
    assertThat(nodes).isNotEmpty().extracting(Target.Node::name).doesNotHaveDuplicates();
    for (Target.Node node : nodes) {
      assertThat(node.name()).isNotBlank();
      assertThat(node.address()).as("address of %s", node.name()).isNotBlank();
      assertThat(process(node).isAlive()).as("process of %s is alive", node.name()).isTrue();
      node.log().ifPresent(log -> assertThat(log).exists());
      node.companions().forEach(pid -> assertThat(ProcessHandle.of(pid)).isPresent());
    }
    assertThat(target().off()).as("nodes that are off by order").isEmpty();
    collect();
  }

  private static ProcessHandle process(Target.Node node) {
    OptionalLong pid = node.pid();
    assertThat(pid).as("process of %s", node.name()).isPresent();
    return ProcessHandle.of(pid.getAsLong()).orElseThrow();
  }

  /** Notes the processes of the cluster as they are now. */
  private void collect() {
    for (Target.Node node : target().nodes()) {
      node.pid().stream().mapToObj(ProcessHandle::of).flatMap(Optional::stream).forEach(this::add);
      node.companions().forEach(pid -> ProcessHandle.of(pid).ifPresent(this::add));
    }
    ProcessHandle.current().descendants().forEach(this::add);
  }

  private void add(ProcessHandle process) {
    if (process.pid() != ProcessHandle.current().pid()) {
      processes.add(process);
    }
  }

  private void hasCapabilities() {
    EngineKit.requireCapabilities(engine, target());
    assertThat(target().control().isPresent())
        .as("%s is claimed, and a control offered", Feature.NODE_EVENTS)
        .isEqualTo(engine.supports(Feature.NODE_EVENTS));
    target()
        .control()
        .filter(control -> !engine.supports(Feature.LINK_DELAYS))
        .ifPresent(
            control ->
                assertThatThrownBy(() -> control.delayLinks(LinkDelay.uniform(1)))
                    .as("links that cannot be delayed")
                    .isInstanceOf(BadRequestException.class));
  }

  private interface StoreCheck {
    void run(KeyValueStore store) throws Exception;
  }

  private KeyValueStore connect() {
    return target().connect(new LoadBounds("kit", request.store(), false));
  }

  private void withStore(StoreCheck check) throws Exception {
    try (KeyValueStore store = connect()) {
      check.run(store);
    }
  }

  private void keeps(KeyValueStore store) throws Exception {
    assertThatThrownBy(() -> store.open(1))
        .as("a session without a table")
        .isInstanceOf(IllegalStateException.class);
    store.prepare(TABLE);
    try (Session session = store.open(2)) {
      assertThat(session.slots()).isEqualTo(2);
      assertThat(read(session, 0, 7)).isEqualTo(new End(0, Outcome.NOT_FOUND, Session.NO_VERSION));
      assertThat(write(session, 1, 7, 5)).isEqualTo(new End(1, Outcome.OK, Session.NO_VERSION));
      assertThat(read(session, 1, 7)).isEqualTo(new End(1, Outcome.OK, 5));
      assertThat(write(session, 0, 7, 9).outcome()).isEqualTo(Outcome.OK);
      assertThat(read(session, 0, 7).version()).as("a newer version replaces").isEqualTo(9);
      assertThat(write(session, 0, 7, 6).outcome()).isEqualTo(Outcome.OK);
      assertThat(read(session, 0, 7).version()).as("an older one does not").isEqualTo(9);
      assertThat(read(session, 0, 8).outcome()).as("another key").isEqualTo(Outcome.NOT_FOUND);
      assertThat(scan(session, 0, 7).outcome()).isEqualTo(Outcome.OK);
      assertThat(session.errors()).isEmpty();
      bothSlotsAtOnce(session);
    }
    store.settle(LONG);
    store.requireHeld();
    store.prepare(TABLE);
    try (Session session = store.open(1)) {
      assertThat(read(session, 0, 7).outcome()).as("emptied").isEqualTo(Outcome.NOT_FOUND);
    }
  }

  private static void bothSlotsAtOnce(Session session) throws Exception {
    CompletableFuture<End> first = new CompletableFuture<>();
    CompletableFuture<End> second = new CompletableFuture<>();
    session.write(0, 1, Session.ALL_FIELDS, 8, 11, ConsistencyLevel.ALL, to(first));
    session.write(1, 2, Session.ALL_FIELDS, 8, 12, ConsistencyLevel.ALL, to(second));
    assertThat(wait(first)).isEqualTo(new End(0, Outcome.OK, Session.NO_VERSION));
    assertThat(wait(second)).isEqualTo(new End(1, Outcome.OK, Session.NO_VERSION));
    assertThat(read(session, 1, 1).version()).isEqualTo(11);
    assertThat(read(session, 0, 2).version()).isEqualTo(12);
  }

  private void opens(KeyValueStore store) {
    store.prepare(TABLE);
    SessionRequest one = SessionRequest.of(1);
    assertSupports(store, Feature.READ_FROM, one.readFrom(ReadFrom.MASTER));
    assertSupports(store, Feature.READ_FROM, one.readFrom(ReadFrom.REPLICA));
    WriteBuffering deferred = WriteBuffering.deferred(1 << 20);
    assertSupports(store, Feature.DEFERRED_WRITES, one.writes(deferred));
    try (Session session = store.open(one)) {
      assertThat(session.find(DeferredWrites.class).isPresent())
          .as("%s is claimed, and offered by sessions", Feature.DEFERRED_WRITES)
          .isEqualTo(engine.supports(Feature.DEFERRED_WRITES));
    }
  }

  private void assertSupports(KeyValueStore store, Feature feature, SessionRequest wanted) {
    if (engine.supports(feature)) {
      store.open(wanted).close();
      return;
    }
    assertThatThrownBy(() -> store.open(wanted))
        .as("%s is not claimed", feature)
        .isInstanceOfSatisfying(
            BadRequestException.class,
            refused -> assertThat(refused.remedy()).as("remedy").isNotBlank());
  }

  private void closesTwice() throws Exception {
    KeyValueStore store = connect();
    store.prepare(TABLE);
    Session session = store.open(1);
    AtomicInteger ends = new AtomicInteger();
    CompletableFuture<End> last = new CompletableFuture<>();
    session.write(
        0,
        3,
        Session.ALL_FIELDS,
        8,
        4,
        ConsistencyLevel.ONE,
        (slot, outcome, version) -> {
          ends.incrementAndGet();
          last.complete(new End(slot, outcome, version));
        });
    session.close();
    assertThat(wait(last).slot()).as("what is under way ends").isZero();
    session.close();
    store.close();
    store.close();
    assertThat(ends).as("ends of one operation").hasValue(1);
  }

  private void keepsFiles() {
    FileStore files = ((FileTarget) target()).files();
    byte[] bytes = "some text, and more".getBytes(StandardCharsets.UTF_8);
    write(files, "kit/one", bytes);
    assertThat(files.list("kit"))
        .containsExactly(new FileStore.StoredFile("kit/one", bytes.length));
    try (FileStore.Reader reader = files.open("kit/one")) {
      assertThat(reader.length()).isEqualTo(bytes.length);
      byte[] into = new byte[bytes.length + 2];
      assertThat(reader.read(5, into, 1, into.length - 1)).isEqualTo(bytes.length - 5);
      assertThat(new String(into, 1, bytes.length - 5, StandardCharsets.UTF_8))
          .isEqualTo("text, and more");
      assertThat(reader.read(bytes.length, into, 0, 1)).as("behind the end").isEqualTo(-1);
    }
    assertThat(files.delete("kit/one")).isTrue();
    assertThat(files.delete("kit/one")).as("what is not there").isFalse();
    write(files, "kit/one", new byte[0]);
    assertThat(files.list("")).contains(new FileStore.StoredFile("kit/one", 0));
    assertThat(files.delete("kit")).as("a folder").isTrue();
    assertThat(files.list("")).isEmpty();
  }

  private static void write(FileStore files, String path, byte[] bytes) {
    FileStore.Writer writer = files.create(path, SHAPE);
    writer.write(bytes, 0, bytes.length);
    writer.flush();
    writer.close();
    writer.close();
  }

  private void refusesFiles() {
    FileStore files = ((FileTarget) target()).files();
    write(files, "there", new byte[1]);
    List<Runnable> refused =
        List.of(
            () -> files.create("there", SHAPE),
            () -> files.create("../elsewhere", SHAPE),
            () -> files.open("absent"),
            () -> files.delete("../there"));
    for (int i = 0; i < refused.size(); i++) {
      Runnable each = refused.get(i);
      assertThatThrownBy(each::run)
          .as("request %s", i)
          .isInstanceOfSatisfying(
              BadRequestException.class,
              wrong -> assertThat(wrong.remedy()).as("remedy").isNotBlank());
    }
    assertThat(files.delete("there")).isTrue();
  }

  private void countsRequests() throws Exception {
    try (ClientRequests requests =
        target().find(ClientRequests.Source.class).orElseThrow().requests()) {
      if (engine.supports(Feature.FILES)) {
        countsRequests(requests, this::asksForFiles);
        return;
      }
      withStore(
          store -> {
            store.prepare(TABLE);
            countsRequests(requests, () -> asks(store));
          });
    }
  }

  /** Counts are some seconds old, so what was asked before may be among them. */
  private void countsRequests(ClientRequests requests, Check asked) throws Exception {
    Requests from = sum(known(requests, counts -> true));
    for (Requests last = new Requests(Set.of(), 0, 0); !last.equals(from); ) {
      last = from;
      from = sum(known(requests, counts -> true));
    }
    asked.run();
    Requests before = from;
    Requests to = sum(known(requests, counts -> sum(counts).isAfter(before, ASKED)));
    assertThat(to.lives()).as("no life ended").isEqualTo(from.lives());
    // A write may read once more, as by a script whose commands count each by itself.
    assertThat(to.reads() - from.reads()).as("reads").isBetween(ASKED, 2 * ASKED + EARLIER);
    assertThat(to.writes() - from.writes()).as("writes").isBetween(ASKED, ASKED + EARLIER);
  }

  private static void asks(KeyValueStore store) throws Exception {
    try (Session session = store.open(1)) {
      for (long key = 0; key < ASKED; key++) {
        assertThat(write(session, 0, key, 5).outcome()).isEqualTo(Outcome.OK);
        assertThat(read(session, 0, key).outcome()).isEqualTo(Outcome.OK);
      }
    }
  }

  private void asksForFiles() {
    FileStore files = ((FileTarget) target()).files();
    for (int i = 0; i < ASKED; i++) {
      write(files, "asked/" + i, new byte[10]);
      try (FileStore.Reader reader = files.open("asked/" + i)) {
        assertThat(reader.read(0, new byte[10], 0, 10)).isEqualTo(10);
      }
    }
    assertThat(files.delete("asked")).isTrue();
  }

  /** Of all nodes together. */
  private record Requests(Set<Long> lives, long reads, long writes) {
    boolean isAfter(Requests before, long more) {
      return reads >= before.reads() + more && writes >= before.writes() + more;
    }
  }

  private static Requests sum(Counts counts) {
    Collection<Count> nodes = counts.nodes().values();
    return new Requests(
        nodes.stream().map(Count::life).collect(Collectors.toSet()),
        nodes.stream().mapToLong(Count::reads).sum(),
        counts.writes().map(Count::writes).orElse(nodes.stream().mapToLong(Count::writes).sum()));
  }

  /** Asks until the counts of all nodes are known, and as they are wanted. */
  private Counts known(ClientRequests requests, Predicate<Counts> wanted) throws Exception {
    List<String> names = target().nodes().stream().map(Target.Node::name).toList();
    long deadline = System.nanoTime() + LONG.toNanos();
    while (true) {
      Counts counts = wait(requests.ask().toCompletableFuture());
      if (counts.nodes().keySet().containsAll(names) && wanted.test(counts)) {
        return counts;
      }
      assertThat(System.nanoTime() - deadline)
          .as("counts: %s; %s", counts, requests.problems())
          .isNegative();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Of a node whose server is a process of its own; a request that it is asked then ends. */
  private void heals() throws Exception {
    assertThat(target().heal()).as("what is healed while all is well").isEmpty();
    Target.Node node = target().nodes().get(0);
    ProcessHandle process = process(node);
    if (process.pid() == ProcessHandle.current().pid()) {
      return;
    }
    target().onProcessEnd(ended::add);
    if (engine.supports(Feature.FILES)) {
      kill(node, process);
      assertHeals(node);
      keepsFiles();
      return;
    }
    try (KeyValueStore store = connect()) {
      store.prepare(TABLE);
      try (Session session = store.open(1)) {
        kill(node, process);
        End end = write(session, 0, 5, 21);
        assertThat(end.slot()).as("a write ends while %s is dead", node.name()).isZero();
        assertHeals(node);
      }
    }
    withStore(this::keeps);
  }

  private void kill(Target.Node node, ProcessHandle process) throws Exception {
    assertThat(process.destroyForcibly()).isTrue();
    String said = ended.poll(LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(said).as("what is said of the end of %s", node.name()).contains(node.name(), "137");
  }

  private void assertHeals(Target.Node node) {
    assertThat(target().heal()).as("what is healed").contains(node.name());
    Target.Node again = target().nodes().get(0);
    assertThat(again.name()).isEqualTo(node.name());
    assertThat(again.pid()).as("process of %s", node.name()).isNotEqualTo(node.pid());
    assertThat(process(again).isAlive()).isTrue();
    assertThat(target().heal()).as("what is healed then").isEmpty();
    collect();
  }

  private void leavesNothing() throws Exception {
    Process bystander = new ProcessBuilder("sleep", "3600").start();
    try {
      Target closed = target();
      collect();
      processes.remove(bystander.toHandle());
      closed.close();
      List<String> left = new ArrayList<>();
      for (ProcessHandle process : processes) {
        try {
          ProcessHandle unused = process.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
          left.add(process + " " + process.info().commandLine().orElse(""));
        }
      }
      assertThat(left).as("processes that are left").isEmpty();
      assertThat(bystander.isAlive()).as("another process lives on").isTrue();
    } finally {
      bystander.destroyForcibly();
    }
  }

  private static End read(Session session, int slot, long key) throws Exception {
    CompletableFuture<End> end = new CompletableFuture<>();
    session.read(slot, key, Session.ALL_FIELDS, ConsistencyLevel.ALL, to(end));
    return wait(end);
  }

  private static End write(Session session, int slot, long key, long version) throws Exception {
    CompletableFuture<End> end = new CompletableFuture<>();
    session.write(slot, key, Session.ALL_FIELDS, 8, version, ConsistencyLevel.ALL, to(end));
    return wait(end);
  }

  private static End scan(Session session, int slot, long key) throws Exception {
    CompletableFuture<End> end = new CompletableFuture<>();
    session.scan(slot, key, 1, Session.ALL_FIELDS, ConsistencyLevel.ALL, to(end));
    return wait(end);
  }

  private static Completion to(CompletableFuture<End> end) {
    return (slot, outcome, version) -> end.complete(new End(slot, outcome, version));
  }

  private static <T> T wait(CompletableFuture<T> end) throws Exception {
    return end.get(LONG.toSeconds(), TimeUnit.SECONDS);
  }
}
