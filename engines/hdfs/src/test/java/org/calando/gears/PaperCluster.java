package org.calando.gears;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.calando.control.Patience;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.GearLayout;
import org.calando.gears.Member.Service;
import org.calando.power.onoff.PowerSwitch;
import org.jspecify.annotations.Nullable;

/**
 * Members and blocks on paper, as a test writes them down: for what is worked out from them. What a
 * real store does is shown on a real one.
 */
final class PaperCluster implements GearCluster {
  static final Duration LONG = Duration.ofHours(1);

  private final GearFile file;
  private final Map<Long, StoredBlock> blocks = new TreeMap<>();
  private final Map<String, Long> reports = new TreeMap<>();
  final Set<Integer> full = new HashSet<>();
  final Set<Integer> silent = new HashSet<>();

  /** Nodes that the name server holds for live, and that do not answer. */
  final Set<Integer> hung = new HashSet<>();

  /**
   * Nodes that have yet to report to a name server that was started again, and after how many looks
   * they do.
   */
  final Map<Integer, Integer> unreported = new TreeMap<>();

  /** Nodes that are in maintenance; those that are still entering it. */
  final Set<String> resting = new TreeSet<>();

  final Set<String> entering = new TreeSet<>();

  /** Nodes that are being decommissioned. */
  final Set<String> leaving = new TreeSet<>();

  /** Whether the name server does not answer. */
  boolean mute;

  private @Nullable Path path;

  PaperCluster(GearLayout layout, int gear, Path log) {
    List<String> names = new ArrayList<>();
    for (int node = 1; node <= layout.groups().nodes(); node++) {
      names.add("h:" + node);
    }
    this.file =
        new GearFile(
            layout,
            names,
            gear,
            GearFile.Offload.BALANCED,
            "/calando",
            Optional.of(log.toString()),
            1);
  }

  /** What a shift works with, and how long it waits: for ever, but between looks. */
  GearMeans means(Path path) {
    return means(path, Map.of());
  }

  GearMeans means(Path path, Map<String, PowerSwitch> switches) {
    return means(path, switches, LONG, ShiftNews.NONE);
  }

  /** With an end to how long it waits for nodes to be in maintenance. */
  GearMeans means(Path path, Map<String, PowerSwitch> switches, Duration service, ShiftNews news) {
    this.path = path;
    Patience patience = new Patience(Duration.ofMillis(1), LONG, service, LONG, LONG);
    return new GearMeans(this, path, file, switches, patience, CatchUpPace.FOREGROUND, news);
  }

  /** Has the gear file written, as it is on a real cluster. */
  void install(Path at) {
    path = at;
    GearFiles.write(file, at);
  }

  private void answer() {
    if (mute) {
      throw new FailedWorkException("the NameNode does not answer", "paper", "start it");
    }
  }

  /** Adds the only block of a file. */
  synchronized StoredBlock add(long id, String path, Integer... nodes) {
    StoredBlock block =
        new StoredBlock(
            path, 0, id, 1 << 20, new TreeSet<>(List.of(nodes)), true, false, nodes.length);
    blocks.put(id, block);
    return block;
  }

  /** Adds the only block of a file outside the folder, which asks for two copies and has none. */
  synchronized void lose(long id, String path) {
    blocks.put(id, new StoredBlock(path, 0, id, 1 << 20, new TreeSet<>(), false, false, 2));
  }

  synchronized NavigableSet<Integer> nodes(long id) {
    StoredBlock block = blocks.get(id);
    return block == null ? new TreeSet<>() : block.nodes();
  }

  @Override
  public String target() {
    return "paper";
  }

  @Override
  public synchronized List<Member> members() {
    answer();
    List<Member> members = new ArrayList<>();
    for (String name : file.nodes()) {
      int number = members.size() + 1;
      boolean live = !silent.contains(number);
      long reported = isUnreported(number) ? 0 : reports.getOrDefault(name, 1L);
      members.add(new Member(number, name, live, service(name), reported));
    }
    return members;
  }

  /** Whether its blocks are not known yet; each time this is asked it is nearer to its report. */
  private boolean isUnreported(int number) {
    return unreported.merge(number, -1, Integer::sum) >= 0;
  }

  private Service service(String name) {
    if (leaving.contains(name)) {
      return Service.OTHER;
    }
    if (entering.contains(name)) {
      return Service.ENTERING_MAINTENANCE;
    }
    return resting.contains(name) ? Service.IN_MAINTENANCE : Service.IN_SERVICE;
  }

  @Override
  public boolean answers(Member member) {
    return !silent.contains(member.number()) && !hung.contains(member.number());
  }

  @Override
  public Set<String> maintained() {
    return new TreeSet<>(resting);
  }

  @Override
  public void maintain(Set<String> names) {
    resting.clear();
    resting.addAll(names);
  }

  @Override
  public Optional<InForce> inForce() {
    return Optional.ofNullable(path)
        .filter(Files::exists)
        .map(read -> new InForce(GearFiles.read(read).gear(), GearFiles.hash(read)));
  }

  @Override
  public Optional<String> setting(String key) {
    return Optional.empty();
  }

  @Override
  public synchronized void survey(Consumer<StoredBlock> each) {
    for (StoredBlock block : List.copyOf(blocks.values())) {
      TreeSet<Integer> known = new TreeSet<>(block.nodes());
      known.removeIf(node -> unreported.getOrDefault(node, 0) > 0);
      each.accept(
          new StoredBlock(
              block.path(),
              block.index(),
              block.id(),
              block.bytes(),
              known,
              block.ours(),
              block.open(),
              block.copies()));
    }
  }

  @Override
  public synchronized List<StoredBlock> file(String path) {
    return blocks.values().stream().filter(block -> block.path().equals(path)).toList();
  }

  @Override
  public synchronized void askForReport(Member node) {
    reports.merge(node.name(), 2L, (before, first) -> before + 1);
  }

  @Override
  public synchronized long blocks() {
    return blocks.size();
  }

  @Override
  public long reReplications() {
    return 0;
  }

  @Override
  public synchronized Outcome transfer(
      StoredBlock block, int from, int source, int to, Duration within) {
    if (full.contains(to)) {
      throw new FailedWorkException("FULL", "copy to node " + to, "make room");
    }
    NavigableSet<Integer> nodes = new TreeSet<>(nodes(block.id()));
    if (!nodes.add(to)) {
      return Outcome.WAS_THERE;
    }
    if (nodes.size() > file.layout().replicas()) {
      nodes.remove(from);
    }
    blocks.put(
        block.id(),
        new StoredBlock(
            block.path(),
            block.index(),
            block.id(),
            block.bytes(),
            nodes,
            block.ours(),
            block.open(),
            nodes.size()));
    return Outcome.DONE;
  }
}
