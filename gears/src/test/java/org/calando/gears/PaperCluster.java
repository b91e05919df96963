package org.calando.gears;

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
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.GearLayout;
import org.calando.gears.Member.Service;
import org.calando.power.onoff.PowerSwitch;

/**
 * Members and blocks on paper, as a test writes them down: for what is worked out from them. What a
 * real store does is shown on a real one.
 */
final class PaperCluster implements GearCluster {
  static final Duration LONG = Duration.ofHours(1);

  private final GearFile file;
  private final Map<Long, StoredBlock> blocks = new TreeMap<>();
  final Set<Integer> full = new HashSet<>();
  final Set<Integer> silent = new HashSet<>();

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
    Patience patience = new Patience(Duration.ofMillis(1), LONG, LONG, LONG, LONG);
    return new GearMeans(
        this, path, file, switches, patience, CatchUpPace.FOREGROUND, ShiftNews.NONE);
  }

  /** Adds the only block of a file. */
  synchronized StoredBlock add(long id, String path, Integer... nodes) {
    StoredBlock block =
        new StoredBlock(path, 0, id, 1 << 20, new TreeSet<>(List.of(nodes)), true, false);
    blocks.put(id, block);
    return block;
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
    List<Member> members = new ArrayList<>();
    for (String name : file.nodes()) {
      int number = members.size() + 1;
      members.add(
          new Member(number, name, !silent.contains(number), Service.IN_SERVICE, 1, 1L << 30));
    }
    return members;
  }

  @Override
  public boolean answers(Member member) {
    return !silent.contains(member.number());
  }

  @Override
  public Set<String> maintained() {
    return Set.of();
  }

  @Override
  public void maintain(Set<String> names) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<InForce> inForce() {
    return Optional.empty();
  }

  @Override
  public Optional<String> setting(String key) {
    return Optional.empty();
  }

  @Override
  public synchronized void survey(Consumer<StoredBlock> each) {
    List.copyOf(blocks.values()).forEach(each);
  }

  @Override
  public synchronized List<StoredBlock> file(String path) {
    return blocks.values().stream().filter(block -> block.path().equals(path)).toList();
  }

  @Override
  public void askForReport(Member node) {}

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
            block.open()));
    return Outcome.DONE;
  }
}
