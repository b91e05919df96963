package org.calando.gears.rack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.calando.control.Patience;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.layout.rack.KeyspaceReplicas;
import org.calando.core.layout.rack.RackNode;
import org.calando.core.policy.gear.GearModel;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchBoard;
import org.calando.store.cassandra.gear.NodeSight;
import org.calando.store.cassandra.gear.RackServers;
import org.jspecify.annotations.Nullable;

/**
 * Six nodes in three racks on paper, for what is worked out and ordered from them. What a real
 * Cassandra does is shown on a real one.
 */
public final class PaperRacks implements RackServers {
  /** What was done, in order. */
  public final List<String> events = Collections.synchronizedList(new ArrayList<>());

  /** Lines for people. */
  final List<String> news = Collections.synchronizedList(new ArrayList<>());

  final Map<String, Node> nodes = new LinkedHashMap<>();
  public final Map<String, Set<Set<String>>> keyspaces = new LinkedHashMap<>();

  /** Whether hints for nodes that have started again are gone at the next look. */
  boolean deliversAtOnce = true;

  /** Nodes whose switches do not turn them off. */
  public final Set<String> stuckAtOff = new TreeSet<>();

  /** Nodes whose switches cannot be read. */
  final Set<String> unreadable = new TreeSet<>();

  /** For whom a node keeps a hint while it drains. */
  final Map<String, String> owesAtDrain = new HashMap<>();

  /** What happens before a node answers. */
  final Map<String, Runnable> atSight = new HashMap<>();

  /** What happens before a node is on that is switched on. */
  public final Map<String, Runnable> atOn = new HashMap<>();

  /** What happens elsewhere as a node opens to clients. */
  final Map<String, Runnable> atServe = new HashMap<>();

  /** What happens elsewhere while a node is repaired. */
  final Map<String, Runnable> atRepair = new HashMap<>();

  /** What happens elsewhere while a node drains. */
  public final Map<String, Runnable> atDrain = new HashMap<>();

  /** Of its table; null if no node can be asked. */
  @Nullable Long graceSeconds = 864_000L;

  /** Whether no node can be asked for it any more once one is drained. */
  boolean losesGraceAtDrain;

  /** Host ids that are in no ring, and of which nodes have files of hints for ever. */
  final Map<String, String> orphans = new HashMap<>();

  /** Seconds for which tables that were made later keep their deletions, by name. */
  final Map<String, Long> laterTables = new LinkedHashMap<>();

  /** Tables of which replicas differ. */
  final Set<String> differing = new TreeSet<>();

  /** Nodes that the inventory does not list. */
  final Set<String> unlisted = new TreeSet<>();

  /** Nodes that do not open to clients. */
  final Set<String> shut = new TreeSet<>();

  /** Nodes that do not close to clients. */
  final Set<String> stuckOpen = new TreeSet<>();

  /** Whether no repair succeeds. */
  boolean failsRepairs;

  /** Whether clients log in. */
  boolean isSecured;

  /** Nodes that answer nothing any more once they are drained. */
  final Set<String> deafAtDrain = new TreeSet<>();

  /** Questions that nodes do not answer, though they are on. */
  final Map<String, Integer> deafFor = new HashMap<>();

  KeptCopies keeps = KeptCopies.QUORUM;

  private final Path file;

  /** A node, and what it is asked for. */
  public static final class Node {
    final String name;
    final String rack;
    public boolean on = true;
    String mode = NodeSight.NORMAL;
    String id;
    boolean serves = true;
    long started = 1;
    long upMillis = 1;
    Set<String> repairs = Set.of();
    public int window = 10_800_000;
    int mostMebibytes;
    boolean keepsHints = true;
    long notKept;
    String schema = "a";
    final List<String> busy = new ArrayList<>();
    long written;
    long delivered;
    long failed;
    final Set<String> owes = new TreeSet<>();

    Node(String name, String rack) {
      this.name = name;
      this.rack = rack;
      this.id = "id-" + name;
    }
  }

  /** All are on. */
  public PaperRacks(Path folder) {
    this.file = folder.resolve("racks.json");
    Set<Set<String>> ranges = new LinkedHashSet<>();
    for (int i = 1; i <= 6; i++) {
      nodes.put("n" + i, new Node("n" + i, "r" + (1 + (i - 1) % 3)));
      ranges.add(Set.of("n" + i, "n" + (1 + i % 6), "n" + (1 + (i + 1) % 6)));
    }
    keyspaces.put("shop", ranges);
  }

  /** One that joins, in whatever rack. */
  void join(String name, String rack) {
    nodes.put(name, new Node(name, rack));
  }

  /** One that is removed from the ring, and no node any more. */
  void leave(String name) {
    nodes.remove(name);
    keyspaces.replaceAll((keyspace, ranges) -> without(name, ranges));
  }

  private static Set<Set<String>> without(String name, Set<Set<String>> ranges) {
    Set<Set<String>> left = new LinkedHashSet<>();
    for (Set<String> range : ranges) {
      Set<String> rest = new TreeSet<>(range);
      rest.remove(name);
      left.add(rest);
    }
    return left;
  }

  /** A node. */
  public Node node(String name) {
    return Optional.ofNullable(nodes.get(name)).orElseThrow();
  }

  /** What shifts work with. */
  public RackMeans means() {
    Map<String, PowerSwitch> switches = new HashMap<>();
    nodes.values().forEach(node -> switches.put(node.name, new PaperSwitch(node)));
    Duration brief = Duration.ofMillis(1);
    return new RackMeans(
        this,
        new SwitchBoard(switches, Duration.ofSeconds(10), news::add),
        file,
        keeps,
        new Patience(brief, brief, brief, Duration.ofSeconds(5), brief),
        "--local cassandra",
        () -> {},
        GearModel.PROCESS_OFF_SECONDS);
  }

  /** The same as if the rack had gone off earlier. */
  public void wasOffFor(long seconds) {
    RackState state = RackState.FILE.read(file);
    RackState.FILE.write(
        new RackState(
            state.setting(),
            state.shift(),
            state.nodes(),
            state.kept(),
            state.sinceMillis() - seconds * 1000,
            state.keeps(),
            state.tables(),
            state.failure()),
        file);
  }

  /** All that shifts set. */
  Map<String, String> state() {
    Map<String, String> state = new LinkedHashMap<>();
    nodes.forEach(
        (name, node) ->
            state.put(name, node.on + " " + node.mode + " " + node.serves + " " + node.window));
    state.put("off", RackState.FILE.read(file).setting().text());
    return state;
  }

  private final class PaperSwitch implements PowerSwitch {
    private final Node node;

    PaperSwitch(Node node) {
      this.node = node;
    }

    @Override
    public String describe() {
      return "a switch on paper";
    }

    @Override
    public State read() {
      if (unreadable.contains(node.name)) {
        throw new FailedWorkException("its switch is silent", "node " + node.name, "fix it");
      }
      return node.on ? State.ON : State.OFF;
    }

    @Override
    public void on() {
      Optional.ofNullable(atOn.get(node.name)).ifPresent(Runnable::run);
      start();
    }

    private void start() {
      synchronized (PaperRacks.this) {
        switchOn();
      }
    }

    private void switchOn() {
      events.add("on " + node.name);
      node.on = true;
      node.mode = NodeSight.NORMAL;
      node.serves = true;
      node.started++;
      node.window = 10_800_000;
    }

    @Override
    public void off() {
      if (stuckAtOff.contains(node.name)) {
        throw new FailedWorkException("does not go off", "node " + node.name, "switch it by hand");
      }
      events.add("off " + node.name);
      node.on = false;
    }

    @Override
    public boolean canForce() {
      return false;
    }

    @Override
    public void forceOff() {
      throw new UnsupportedOperationException();
    }
  }

  @Override
  public List<String> names() {
    return nodes.keySet().stream().filter(name -> !unlisted.contains(name)).toList();
  }

  @Override
  public String target() {
    return "paper";
  }

  @Override
  public Optional<NodeSight> sight(String name) {
    Optional.ofNullable(atSight.get(name)).ifPresent(Runnable::run);
    return look(name);
  }

  private synchronized Optional<NodeSight> look(String name) {
    Node node = node(name);
    if (deafFor.merge(name, -1, Integer::sum) >= 0 || !node.on) {
      return Optional.empty();
    }
    Set<String> live = new TreeSet<>();
    nodes.values().stream().filter(each -> each.on).forEach(each -> live.add(each.id));
    Set<String> all = new TreeSet<>();
    nodes.values().forEach(each -> all.add(each.id));
    Set<String> owed = new TreeSet<>();
    if (deliversAtOnce) {
      node.owes.removeIf(
          target -> node(target).on && (node(target).started > 1 || node.started > 1));
    }
    node.owes.forEach(each -> owed.add(node(each).id));
    Optional.ofNullable(orphans.get(name)).ifPresent(owed::add);
    return Optional.of(
        new NodeSight(
            new RackNode(name, "dc1", node.rack),
            node.id,
            node.mode,
            node.serves,
            live,
            all,
            node.schema,
            new NodeSight.Life(node.started, node.upMillis, node.repairs),
            new NodeSight.Hints(
                node.keepsHints,
                node.window,
                node.mostMebibytes,
                node.written,
                node.delivered,
                node.failed,
                owed,
                node.notKept),
            node.busy));
  }

  @Override
  public String silence(String node) {
    return deafFor.getOrDefault(node, -1) >= 0 ? " (wrong password)" : "";
  }

  @Override
  public Replicas replicas(String asked, Map<String, String> names) {
    List<KeyspaceReplicas> relied = new ArrayList<>();
    keyspaces.forEach((name, ranges) -> relied.add(new KeyspaceReplicas(name, ranges)));
    return new Replicas(relied, List.of("system_traces"));
  }

  @Override
  public Compared compare() {
    return new Compared(100, List.copyOf(differing), Optional.empty());
  }

  @Override
  public Graces graces() {
    if (graceSeconds == null) {
      return new Graces(List.of(), Optional.of("no login"), isSecured);
    }
    List<Grace> tables = new ArrayList<>();
    tables.add(new Grace("shop.stock", "id of stock", graceSeconds));
    laterTables.forEach((name, seconds) -> tables.add(new Grace(name, "id of " + name, seconds)));
    return new Graces(tables, Optional.empty(), isSecured);
  }

  private Node answering(String name) {
    Node node = node(name);
    if (!node.on) {
      throw new FailedWorkException("does not answer", "node " + name, "start it");
    }
    return node;
  }

  @Override
  public void keepHints(String node, int millis, int mostMebibytes) {
    answering(node).window = millis;
    answering(node).mostMebibytes = mostMebibytes;
  }

  @Override
  public void repairByItself(String node, Set<String> types, boolean does) {
    answering(node).repairs = does ? types : Set.of();
  }

  @Override
  public void drain(String name) {
    Node node = answering(name);
    events.add("drain " + name);
    node.mode = NodeSight.DRAINED;
    node.serves = false;
    Optional.ofNullable(owesAtDrain.get(name)).ifPresent(node.owes::add);
    Optional.ofNullable(atDrain.get(name)).ifPresent(Runnable::run);
    if (losesGraceAtDrain) {
      graceSeconds = null;
    }
    if (deafAtDrain.contains(name)) {
      deafFor.put(name, 1000);
    }
  }

  @Override
  public synchronized void serve(String name, boolean serves) {
    if (serves && shut.contains(name)) {
      throw new FailedWorkException("does not open", "node " + name, "see its log");
    }
    if (!serves && stuckOpen.contains(name)) {
      throw new FailedWorkException("does not close", "node " + name, "see its log");
    }
    events.add((serves ? "serve " : "hold ") + name);
    answering(name).serves = serves;
    if (serves) {
      Optional.ofNullable(atServe.get(name)).ifPresent(Runnable::run);
    }
  }

  /** A process that somebody else has started again. */
  synchronized void restart(String name) {
    Node node = node(name);
    node.started++;
    node.mode = NodeSight.NORMAL;
    node.serves = true;
    node.window = 10_800_000;
  }

  @Override
  public void repair(String node, String keyspace, boolean withoutEnded) {
    if (failsRepairs) {
      throw new FailedWorkException("no repair", "node " + node, "wait");
    }
    Optional.ofNullable(atRepair.get(node)).ifPresent(Runnable::run);
    events.add(
        "repair " + answering(node).name + " [" + keyspace + (withoutEnded ? ", forced]" : "]"));
  }
}
