package org.calando.hdfs;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.net.Node;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.Placer;
import org.calando.core.layout.gear.TargetChooser;
import org.jspecify.annotations.Nullable;

/**
 * What lives as long as the NameNode: the gear in force, whose turn it is, and what was counted. A
 * NameNode makes several policies, one for each fsck too; those of one gear file share this. Thread
 * safe.
 */
final class GearState implements GearPlacementMXBean {
  private static final Map<Path, GearState> STATES = new ConcurrentHashMap<>();
  private static final int FILES = 4096;

  private final Path file;
  private final GearFileWatch watch;
  private final OffloadLog log = new OffloadLog();
  private final HeardNodes heard;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final OffloadHints hints;
  private @Nullable GearFile inForce;
  private @Nullable Placing placing;
  private String told = "";
  private String lastError = "";
  private long placed;
  private long offloaded;
  private long spared;
  private long sparedElsewhere;
  private long ordered;
  private long fallbacks;
  private long[] byNode = {};
  private long[] offloadedByNode = {};

  /** Homes of a file's last block, the nodes it was sent to, and its place in the file, from 0. */
  private record Last(List<Integer> homes, List<Integer> chosen, int index) {
    boolean isOffloaded() {
      return !chosen.containsAll(homes);
    }
  }

  /** One who places blocks by a layout, for as long as this stays the same. */
  private static final class Placing {
    final Map<String, Object> layout;
    final Placer placer;
    final TargetChooser chooser;
    final Map<String, Last> lasts =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Last> eldest) {
            return size() > FILES;
          }
        };

    Placing(GearFile file) {
      this.layout = key(file);
      this.placer = file.layout().placer();
      this.chooser = new TargetChooser(file.layout(), file.offload(), file.seed());
    }

    /** What may change without the turns beginning anew is left out. */
    static Map<String, Object> key(GearFile file) {
      Map<String, Object> key = new HashMap<>(file.toMap());
      List.of("gear", "nodes", "log", "folder").forEach(key::remove);
      return key;
    }
  }

  GearState(Path file, LongSupplier nanos) {
    this.file = file;
    this.heard = new HeardNodes(nanos);
    this.watch = new GearFileWatch(file, nanos);
    this.hints = new OffloadHints(nanos);
  }

  /** The one of this gear file, registered as a bean. */
  static GearState of(Path file) {
    return STATES.computeIfAbsent(
        file.toAbsolutePath().normalize(),
        path -> {
          GearState state = new GearState(path, System::nanoTime);
          state.register();
          return state;
        });
  }

  private void register() {
    try {
      ObjectName name = new ObjectName("Calando:type=GearPlacement");
      var server = ManagementFactory.getPlatformMBeanServer();
      if (server.isRegistered(name)) {
        server.unregisterMBean(name);
      }
      server.registerMBean(this, name);
    } catch (JMException e) {
      BlockPlacementPolicy.LOG.warn("calando: no bean of the gear placement", e);
    }
  }

  /** What the gear file says; says once in the NameNode's log if that has changed. */
  synchronized Optional<GearFile> current() {
    Optional<GearFile> current = watch.current();
    GearFile gears = current.orElse(null);
    if (!Objects.equals(gears, inForce)) {
      inForce = gears;
      if (gears != null) {
        take(gears);
      }
    }
    current.ifPresent(gear -> heard.listen(gear, this::number));
    String now = current.map(said -> "gear " + said.gear() + " in force").orElse(watch.problem());
    if (!now.equals(told)) {
      told = now;
      BlockPlacementPolicy.LOG.warn(
          "calando: {}{}", now, current.isPresent() ? "" : "; HDFS places blocks by default");
    }
    return current;
  }

  /** Where live nodes are to be seen. */
  void listenTo(Supplier<List<Node>> nodes) {
    heard.listenTo(nodes);
  }

  private void take(GearFile gears) {
    numbers.clear();
    for (String node : gears.nodes()) {
      numbers.put(node, numbers.size() + 1);
    }
    if (placing == null || !placing.layout.equals(Placing.key(gears))) {
      placing = new Placing(gears);
      byNode = new long[gears.nodes().size()];
      offloadedByNode = new long[byNode.length];
    }
  }

  /** The number of a node in the gear file; 0 if it is not there. */
  synchronized int number(DatanodeInfo node) {
    Integer number = numbers.get(node.getXferAddr());
    return number != null ? number : numbers.getOrDefault(node.getXferAddrWithHostname(), 0);
  }

  /**
   * Nodes for a file's next block.
   *
   * @param isExcluded whether the writer asks for other nodes, as it could not reach this one
   * @param isUsable whether a node can take the block
   */
  synchronized List<Integer> place(
      GearFile gears,
      String path,
      int wanted,
      IntPredicate isExcluded,
      IntPredicate isUsable,
      long bytes) {
    Placing now = placing;
    if (now == null) {
      return List.of();
    }
    Last last = now.lasts.get(path);
    // A block whose pipeline failed is asked for again, without the node that failed.
    boolean isAgain = last != null && last.chosen().stream().anyMatch(isExcluded::test);
    List<Integer> homes = isAgain && last != null ? last.homes() : now.placer.next(path);
    if (isAgain && last != null) {
      count(last, -1);
    }
    List<Integer> chosen = now.chooser.forNew(homes, wanted, isUsable, bytes);
    int index = last == null ? 0 : last.index() + (isAgain ? 0 : 1);
    Last placed = new Last(homes, chosen, index);
    now.lasts.put(path, placed);
    count(placed, 1);
    if (!chosen.isEmpty() && placed.isOffloaded()) {
      gears.log().ifPresent(name -> log.add(Path.of(name), path, index, homes, chosen));
    }
    return chosen;
  }

  private void count(Last block, int sign) {
    if (block.chosen().isEmpty()) {
      return;
    }
    placed += sign;
    offloaded += block.isOffloaded() ? sign : 0;
    for (int node : block.chosen()) {
      byNode[node - 1] += sign;
      offloadedByNode[node - 1] += block.homes().contains(node) ? 0 : sign;
    }
  }

  /** A node has told this NameNode what it holds. */
  synchronized void heardOf(String address) {
    heard.add(address);
  }

  /**
   * Nodes for a block that has too few replicas. There are none while nodes are off that have not
   * told this NameNode what they hold, as after its restart in a low gear: it takes all replicas
   * there for lost, and would have the whole store copied.
   */
  synchronized List<Integer> lacking(
      GearFile gears,
      String path,
      List<Integer> held,
      int wanted,
      IntPredicate isUsable,
      long bytes) {
    if (placing == null) {
      return List.of();
    }
    List<Integer> chosen =
        mayBeHidden(gears, path, held)
            ? List.of()
            : placing.chooser.forLacking(held, wanted, isUsable, bytes);
    spared += chosen.isEmpty() ? 1 : 0;
    ordered += chosen.size();
    return chosen;
  }

  private boolean mayBeHidden(GearFile gears, String path, List<Integer> held) {
    int on = gears.layout().groups().nodesIn(gears.gear());
    return gears.layout().isReadable(held, gears.gear())
        && !heard.hasAllThatAreOff(gears)
        && !hints.isOffloaded(gears.log(), path, held, on);
  }

  /**
   * Whether a copy of a block of a file that the layout is not for is to wait.
   *
   * @param held how many replicas are known
   * @param isLive whether a node is live
   */
  synchronized boolean isToWait(GearFile gears, int held, IntPredicate isLive) {
    boolean waits = heard.isToWait(gears, held, isLive);
    sparedElsewhere += waits ? 1 : 0;
    return waits;
  }

  /** More nodes for a pipeline that lost some. */
  synchronized List<Integer> more(
      List<Integer> held, int wanted, IntPredicate isUsable, long bytes) {
    return placing == null ? List.of() : placing.chooser.forMore(held, wanted, isUsable, bytes);
  }

  synchronized void fellBack(String why) {
    fallbacks++;
    if (!why.isEmpty()) {
      if (!why.equals(lastError)) {
        BlockPlacementPolicy.LOG.warn("calando: placed by default: {}", why);
      }
      lastError = why;
    }
  }

  @Override
  public synchronized String getState() {
    return current().isPresent() ? "in force" : watch.problem();
  }

  @Override
  public synchronized String getLayout() {
    return current().map(GearFile::layout).map(GearLayout::name).orElse("");
  }

  @Override
  public synchronized int getGear() {
    return current().map(GearFile::gear).orElse(0);
  }

  @Override
  public synchronized String getGears() {
    return current().map(gears -> gears.layout().groups().toString()).orElse("");
  }

  @Override
  public String getFile() {
    return file.toString();
  }

  @Override
  public synchronized String getFileHash() {
    return current().map(gears -> watch.hash()).orElse("");
  }

  @Override
  public synchronized long getFileReads() {
    return watch.reads();
  }

  @Override
  public synchronized String[] getNodes() {
    return current().map(gears -> gears.nodes().toArray(String[]::new)).orElse(new String[0]);
  }

  @Override
  public synchronized int getNodesHeardOf() {
    return current().map(heard::count).orElse(0);
  }

  @Override
  public synchronized long getBlocksPlaced() {
    return placed;
  }

  @Override
  public synchronized long[] getReplicasByNode() {
    return byNode.clone();
  }

  @Override
  public synchronized long getBlocksOffloaded() {
    return offloaded;
  }

  @Override
  public synchronized long[] getOffloadedByNode() {
    return offloadedByNode.clone();
  }

  @Override
  public synchronized long getReplicationsSpared() {
    return spared;
  }

  @Override
  public synchronized long getReplicationsSparedElsewhere() {
    return sparedElsewhere;
  }

  @Override
  public synchronized long getReplicationsOrdered() {
    return ordered;
  }

  @Override
  public synchronized long getFallbacks() {
    return fallbacks;
  }

  @Override
  public synchronized String getLastError() {
    return lastError;
  }

  @Override
  public long getLogWritten() {
    return log.written();
  }

  @Override
  public long getLogErrors() {
    return log.errors();
  }
}
