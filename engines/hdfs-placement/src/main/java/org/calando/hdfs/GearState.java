package org.calando.hdfs;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
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
  private final Set<String> reported = new HashSet<>();
  private @Nullable Placing placing;
  private String told = "";
  private String lastError = "";
  private long placed;
  private long offloaded;
  private long spared;
  private long ordered;
  private long fallbacks;
  private long[] byNode = {};
  private long[] offloadedByNode = {};

  /** Homes of a file's last block, and the nodes it was sent to. */
  private record Last(List<Integer> homes, List<Integer> chosen) {}

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
    this.watch = new GearFileWatch(file, nanos);
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
    if (current.isPresent()
        && (placing == null || !placing.layout.equals(Placing.key(current.get())))) {
      placing = new Placing(current.get());
      byNode = new long[current.get().nodes().size()];
      offloadedByNode = new long[byNode.length];
    }
    String now = current.map(gears -> "gear " + gears.gear() + " in force").orElse(watch.problem());
    if (!now.equals(told)) {
      told = now;
      BlockPlacementPolicy.LOG.warn(
          "calando: {}{}", now, current.isPresent() ? "" : "; HDFS places blocks by default");
    }
    return current;
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
    List<Integer> chosen = now.chooser.forNew(homes, wanted, isUsable, bytes);
    now.lasts.put(path, new Last(homes, chosen));
    if (chosen.isEmpty()) {
      return chosen;
    }
    count(homes, chosen);
    if (!chosen.containsAll(homes)) {
      offloaded++;
      gears.log().ifPresent(name -> log.add(Path.of(name), path, homes, chosen));
    }
    return chosen;
  }

  private void count(List<Integer> homes, List<Integer> chosen) {
    placed++;
    for (int node : chosen) {
      byNode[node - 1]++;
      if (!homes.contains(node)) {
        offloadedByNode[node - 1]++;
      }
    }
  }

  /** Whether every node of the layout has told this NameNode what it holds. */
  synchronized boolean knowsAll(GearFile gears) {
    return reported.containsAll(gears.nodes());
  }

  /** A node has told this NameNode what it holds. */
  synchronized void heardOf(String address) {
    reported.add(address);
  }

  /**
   * Nodes for a block that has too few replicas. There are none while nodes are off that have not
   * told this NameNode what they hold, as after its restart in a low gear: it takes all replicas
   * there for lost, and would have the whole store copied.
   */
  synchronized List<Integer> lacking(
      GearFile gears, List<Integer> held, int wanted, IntPredicate isUsable, long bytes) {
    if (placing == null) {
      return List.of();
    }
    boolean mayBeHidden =
        gears.layout().isReadable(held, gears.gear())
            && !reported.containsAll(
                gears
                    .nodes()
                    .subList(gears.layout().groups().nodesIn(gears.gear()), gears.nodes().size()));
    List<Integer> chosen =
        mayBeHidden ? List.of() : placing.chooser.forLacking(held, wanted, isUsable, bytes);
    spared += chosen.isEmpty() ? 1 : 0;
    ordered += chosen.size();
    return chosen;
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
