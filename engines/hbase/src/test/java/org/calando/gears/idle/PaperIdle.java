package org.calando.gears.idle;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.calando.control.Patience;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.gears.GearCluster;
import org.calando.gears.Member;
import org.calando.gears.Member.Service;
import org.calando.gears.NodeMeans;
import org.calando.gears.ShiftNews;
import org.calando.gears.StoredBlock;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.hbase.RegionServers;

/**
 * Servers, regions and DataNodes on paper, as a test writes them down: for what is worked out and
 * ordered from them. What a real HBase does is shown on a real one.
 */
final class PaperIdle {
  private static final Duration LONG = Duration.ofMinutes(5);

  final Servers servers = new Servers();
  final Hdfs hdfs = new Hdfs();

  /** What was done, in order. */
  final List<String> events = new ArrayList<>();

  /** Processes that still seem to be on, and end once they are looked at. */
  final Set<String> ending = new TreeSet<>();

  /** Switches that do not obey. */
  final Set<String> stuck = new TreeSet<>();

  /** Processes whose switches tell neither on nor off. */
  final Set<String> untold = new TreeSet<>();

  private final List<IdleNode> nodes = new ArrayList<>();
  private final Path file;

  PaperIdle(int nodes, Path folder) {
    this.file = folder.resolve("idle.json");
    for (int i = 1; i <= nodes; i++) {
      this.nodes.add(new IdleNode("n" + i, "h:" + i, "d:" + i));
      servers.places.put("h:" + i, new ArrayList<>());
      servers.codes.put("h:" + i, 1L);
      hdfs.on.put("d:" + i, true);
      hdfs.reports.put("d:" + i, 1L);
    }
  }

  IdleMeans means() {
    return means(LONG);
  }

  /** With an end to how long regions and services are waited for. */
  IdleMeans means(Duration service) {
    return means(service, ShiftNews.NONE);
  }

  IdleMeans means(Duration service, ShiftNews news) {
    Patience patience = new Patience(Duration.ofMillis(1), LONG, service, LONG, LONG);
    Map<String, PowerSwitch> below = new HashMap<>();
    Map<String, PowerSwitch> above = new HashMap<>();
    for (IdleNode node : nodes) {
      below.put(node.dataNode(), new Switch(node.dataNode()));
      above.put(node.server(), new Switch(node.server()));
    }
    return new IdleMeans(
        nodes,
        servers,
        new NodeMeans(hdfs, above, patience, news),
        new NodeMeans(hdfs, below, patience, news),
        "/hbase",
        file);
  }

  IdleShifter shifter() {
    return new IdleShifter(means(), "a test");
  }

  /** A process that is switched. */
  private final class Switch implements PowerSwitch {
    private final String name;

    Switch(String name) {
      this.name = name;
    }

    @Override
    public String describe() {
      return name;
    }

    @Override
    public State read() {
      if (untold.contains(name)) {
        return State.UNKNOWN;
      }
      synchronized (servers) {
        boolean on = name.startsWith("h") ? servers.isOn(name) : hdfs.isOn(name);
        if (on && ending.remove(name)) {
          end();
        }
        return on ? State.ON : State.OFF;
      }
    }

    @Override
    public void on() {
      obey("on");
      synchronized (servers) {
        if (name.startsWith("h")) {
          servers.places.put(name, new ArrayList<>());
          servers.codes.merge(name, 1L, Long::sum);
        } else {
          hdfs.on.put(name, true);
          hdfs.reports.merge(name, 1L, Long::sum);
        }
      }
    }

    @Override
    public void off() {
      obey("off");
      end();
    }

    private void end() {
      synchronized (servers) {
        if (name.startsWith("h")) {
          servers.places.remove(name);
        } else {
          hdfs.on.put(name, false);
        }
      }
    }

    private void obey(String order) {
      if (stuck.contains(name)) {
        throw new FailedWorkException("does not obey", name, "fix it");
      }
      synchronized (servers) {
        events.add(order + " " + name);
      }
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

  /** The servers; those that are live have places. */
  final class Servers implements RegionServers {
    final Map<String, List<Region>> places = new TreeMap<>();
    final Map<String, Long> codes = new TreeMap<>();
    final Set<String> drained = new TreeSet<>();
    final List<Report> reports = new ArrayList<>();
    boolean balancer = true;

    /** Servers that do not answer, and that the master holds for live. */
    final Set<String> hung = new TreeSet<>();

    /** Servers that have died, and how often the master still holds them for live when asked. */
    final Map<String, Integer> dead = new TreeMap<>();

    /** Regions that are being opened. */
    final Map<String, String> transit = new TreeMap<>();

    /** Whether it does not answer, and whether it moves nothing. */
    boolean silent;

    boolean stiff;

    /** Whether it is not what it has to be. */
    boolean refuses;

    /** Opens regions of a table. */
    void open(String server, String... ids) {
      for (String id : ids) {
        places.get(server).add(new Region(id, "t"));
      }
    }

    /** The ids of all regions by server. */
    Map<String, Set<String>> ids() {
      Map<String, Set<String>> ids = new TreeMap<>();
      places.forEach(
          (server, held) -> {
            Set<String> of = new TreeSet<>();
            held.forEach(region -> of.add(region.id()));
            ids.put(server, of);
          });
      return ids;
    }

    boolean isOn(String name) {
      return places.containsKey(name) && !dead.containsKey(name);
    }

    private void answer() {
      if (refuses) {
        throw new BadRequestException("is no master", "paper", "name another");
      }
      if (silent) {
        throw new FailedWorkException("does not answer", "paper", "wait");
      }
    }

    @Override
    public String name() {
      return "paper";
    }

    @Override
    public synchronized Set<String> live() {
      answer();
      dead.replaceAll((server, looks) -> looks - 1);
      places.keySet().removeIf(server -> dead.getOrDefault(server, 0) < 0);
      dead.values().removeIf(looks -> looks < 0);
      return new TreeSet<>(places.keySet());
    }

    @Override
    public synchronized List<Region> regions(String server) {
      answer();
      if (hung.contains(server) || dead.containsKey(server)) {
        throw new FailedWorkException("does not answer", server, "wait");
      }
      return List.copyOf(places.getOrDefault(server, List.of()));
    }

    @Override
    public List<Region> regions(String server, Duration within) {
      return regions(server);
    }

    @Override
    public Map<String, String> inTransition() {
      return Map.copyOf(transit);
    }

    @Override
    public List<Report> reports() {
      answer();
      return List.copyOf(reports);
    }

    @Override
    public synchronized Map<String, String> move(Map<String, String> targets) {
      answer();
      if (stiff) {
        return Map.of("a", "does not move");
      }
      targets.forEach(
          (id, to) -> {
            List<Region> found = new ArrayList<>();
            places
                .values()
                .forEach(
                    held ->
                        held.removeIf(
                            region -> {
                              boolean is = region.id().equals(id);
                              if (is) {
                                found.add(region);
                              }
                              return is;
                            }));
            places.get(to).addAll(found);
          });
      return Map.of();
    }

    @Override
    public boolean balancer() {
      answer();
      return balancer;
    }

    @Override
    public void balancer(boolean on) {
      balancer = on;
    }

    @Override
    public synchronized Set<String> drained() {
      answer();
      return new TreeSet<>(drained);
    }

    @Override
    public synchronized void drain(Collection<String> marked) {
      marked.stream().filter(places::containsKey).forEach(drained::add);
    }

    @Override
    public synchronized void undrain(Collection<String> marked) {
      drained.removeAll(marked);
    }

    @Override
    public void rollLog(String server) {
      events.add("roll " + server);
    }

    @Override
    public void close() {}
  }

  /** The file system below. */
  final class Hdfs implements GearCluster {
    final Map<String, Boolean> on = new TreeMap<>();
    final Map<String, Long> reports = new TreeMap<>();
    final List<StoredBlock> blocks = new ArrayList<>();
    final Set<String> hung = new TreeSet<>();
    private final Set<String> resting = new TreeSet<>();

    boolean isOn(String name) {
      return on.getOrDefault(name, false);
    }

    /** Adds a block of a region's file. */
    void add(String region, int copies, Integer... holders) {
      blocks.add(
          new StoredBlock(
              "/hbase/data/default/t/" + region + "/f/file",
              0,
              blocks.size(),
              100,
              new TreeSet<>(List.of(holders)),
              false,
              false,
              copies));
    }

    @Override
    public String target() {
      return "paper";
    }

    @Override
    public List<Member> members() {
      List<Member> members = new ArrayList<>();
      on.forEach(
          (name, is) ->
              members.add(
                  new Member(
                      members.size() + 1,
                      name,
                      is,
                      resting.contains(name) ? Service.IN_MAINTENANCE : Service.IN_SERVICE,
                      reports.getOrDefault(name, 0L))));
      return members;
    }

    @Override
    public boolean answers(Member member) {
      return isOn(member.name()) && !hung.contains(member.name());
    }

    @Override
    public Set<String> maintained() {
      return new TreeSet<>(resting);
    }

    @Override
    public void maintain(Set<String> names) {
      events.add("maintain " + names);
      resting.clear();
      resting.addAll(names);
    }

    @Override
    public Optional<InForce> inForce() {
      return Optional.empty();
    }

    @Override
    public Optional<String> setting(String key) {
      return Optional.empty();
    }

    /** As the NameNode does, it does not name holders that are in maintenance, or off. */
    @Override
    public void survey(Consumer<StoredBlock> each) {
      events.add("survey");
      Set<Integer> serving = new TreeSet<>();
      members().stream().filter(Member::serves).forEach(member -> serving.add(member.number()));
      for (StoredBlock block : blocks) {
        TreeSet<Integer> holders = new TreeSet<>(block.nodes());
        holders.retainAll(serving);
        each.accept(
            new StoredBlock(
                block.path(),
                block.index(),
                block.id(),
                block.bytes(),
                holders,
                block.ours(),
                block.open(),
                block.copies()));
      }
    }

    @Override
    public List<StoredBlock> file(String path) {
      return blocks.stream().filter(block -> block.path().equals(path)).toList();
    }

    @Override
    public void askForReport(Member node) {
      reports.merge(node.name(), 1L, Long::sum);
    }

    @Override
    public long blocks() {
      return blocks.size();
    }

    @Override
    public long reReplications() {
      return 0;
    }

    @Override
    public Outcome transfer(StoredBlock block, int from, int source, int to, Duration within) {
      throw new UnsupportedOperationException();
    }
  }
}
