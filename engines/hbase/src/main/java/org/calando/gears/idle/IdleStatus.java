package org.calando.gears.idle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.calando.control.JournalEntry;
import org.calando.control.OffSetting;
import org.calando.core.FailedWorkException;
import org.calando.gears.BlockView;
import org.calando.gears.GearCluster;
import org.calando.gears.GearDoctor;
import org.calando.gears.GearDoctor.Finding;
import org.calando.gears.Member;
import org.calando.gears.Remedies;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.hbase.RegionServers;
import org.calando.store.hbase.RegionServers.Region;
import org.jspecify.annotations.Nullable;

/**
 * How the servers of an HBase are: read from HBase, HDFS, the switches and the file that tells who
 * sleeps. Immutable.
 *
 * @param nodes all of them
 * @param near share of all regions' bytes that are on the DataNode beside their server, 0 to 1
 * @param balancer whether HBase's balancer is on
 * @param balancerOwed whether it is off, and was on before a plan that was given up
 * @param unfinished the plan that was begun and not ended
 * @param unreadable blocks of the whole HDFS that no DataNode has that answers now
 * @param findings what is wrong, and what to do about it
 */
public record IdleStatus(
    List<Node> nodes,
    double near,
    boolean balancer,
    boolean balancerOwed,
    Optional<JournalEntry> unfinished,
    long unreadable,
    List<Finding> findings) {
  /** About blocks that cannot be read while nothing else is wrong. */
  private static final String LOST =
      "wake all nodes (./calando idle up --local); what cannot be read then is lost, and hdfs fsck /"
          + " -list-corruptfileblocks names its files";

  /** For a server that hangs; one that is busy answers long before. */
  private static final Duration ANSWER = Duration.ofSeconds(10);

  /** Copies the lists. */
  public IdleStatus {
    nodes = List.copyOf(nodes);
    findings = List.copyOf(findings);
  }

  /**
   * The RegionServer of a node.
   *
   * @param live whether the master holds it for live, and it answers
   * @param power as its switch says
   * @param drained whether it is marked as draining: it gets no regions
   * @param leftDrained whether a plan that was given up left that mark
   * @param regions on it
   */
  public record Server(
      boolean live, PowerSwitch.State power, boolean drained, boolean leftDrained, int regions) {}

  /**
   * The DataNode of a node.
   *
   * @param member as the NameNode sees it
   * @param answers whether it answers by itself
   * @param power as its switch says
   */
  public record DataNode(Member member, boolean answers, PowerSwitch.State power) {}

  /**
   * A node.
   *
   * @param node which
   * @param asleep whether it is to sleep
   * @param server its RegionServer
   * @param dataNode its DataNode
   * @param away regions that were on its server before it went to sleep
   * @param near share of its regions' bytes that are on its DataNode, 0 to 1; empty if not live
   * @param hbaseNear the same as HBase has it, by hosts; empty if not live, or not told yet
   */
  public record Node(
      IdleNode node,
      boolean asleep,
      Server server,
      DataNode dataNode,
      int away,
      OptionalDouble near,
      OptionalDouble hbaseNear) {
    /** What is not as it is to be; of its switches only if all else is. */
    private List<Finding> wrong() {
      List<String> wrong = asleep ? wrongAsleep() : wrongAwake();
      if (!wrong.isEmpty()) {
        return List.of(new Finding(what(), false, String.join("; ", wrong), IdleOrders.wake(node)));
      }
      return Stream.of(power("RegionServer", server.power()), power("DataNode", dataNode.power()))
          .filter(found -> !found.well())
          .toList();
    }

    private List<String> wrongAsleep() {
      boolean on =
          server.live()
              || server.power() == PowerSwitch.State.ON
              || dataNode.power() == PowerSwitch.State.ON
              || dataNode.member().serves();
      return on ? List.of("it should be asleep, and its server or its DataNode is on") : List.of();
    }

    private List<String> wrongAwake() {
      List<String> wrong = new ArrayList<>();
      if (!server.live()) {
        wrong.add("its RegionServer is not live, or does not answer");
      }
      boolean serves = dataNode.member().serves();
      if (!serves || !dataNode.answers()) {
        wrong.add("its DataNode " + (serves ? "does not answer" : "does not serve"));
      }
      if (server.leftDrained()) {
        wrong.add("an abandoned plan left its server marked as draining");
      }
      return wrong;
    }

    private Finding power(String process, PowerSwitch.State is) {
      String says = "its " + process + (asleep ? " sleeps" : " serves");
      return GearDoctor.power(
          new Finding(what(), true, says, ""),
          is,
          asleep ? PowerSwitch.State.OFF : PowerSwitch.State.ON);
    }

    private String what() {
      return "node " + node.name();
    }
  }

  /**
   * Whether all nodes, regions, blocks and the balancer are as they are to be, and no plan waits.
   */
  public boolean isSettled() {
    return findings.isEmpty();
  }

  /** Looks. */
  public static IdleStatus of(IdleMeans means) {
    RegionServers regions = means.regions();
    Map<String, List<Region>> places = places(means);
    BlockView blocks = BlockView.ofAnswering(means.dataNodes().cluster());
    Nearness nearness = Nearness.of(means, local(means, blocks), places);
    Map<String, Double> told = told(regions);
    IdleState state = IdleState.FILE.read(means.path());
    Map<String, Integer> away = new HashMap<>();
    state.asleep().forEach(sleeper -> away.put(sleeper.node(), sleeper.homes().size()));
    Set<String> drained = regions.drained();
    List<Node> nodes = new ArrayList<>();
    for (IdleNode node : means.nodes()) {
      List<Region> held = places.get(node.server());
      boolean marked = drained.contains(node.server());
      nodes.add(
          new Node(
              node,
              away.containsKey(node.name()),
              new Server(
                  held != null,
                  means.servers().power(node.server()),
                  marked,
                  marked
                      && state.left().node(node.name()).filter(left -> !left.drained()).isPresent(),
                  held == null ? 0 : held.size()),
              dataNode(means, node),
              away.getOrDefault(node.name(), 0),
              some(nearness.byNode().get(node.name())),
              some(told.get(node.server()))));
    }
    boolean balancer = regions.balancer();
    boolean owed = !balancer && state.left().balancer();
    Optional<JournalEntry> unfinished = IdleShifter.unfinished(means.path());
    return new IdleStatus(
        nodes,
        nearness.all(),
        balancer,
        owed,
        unfinished,
        blocks.unreadable(),
        findings(nodes, owed, unfinished, notServed(regions, places), blocks));
  }

  /** Of nodes that an unfinished plan is about only the plan is told: it says how to go on. */
  private static List<Finding> findings(
      List<Node> nodes,
      boolean owed,
      Optional<JournalEntry> unfinished,
      int notServed,
      BlockView blocks) {
    List<Finding> findings = new ArrayList<>();
    Set<String> moving = new TreeSet<>();
    unfinished.ifPresent(
        last -> {
          OffSetting from = OffSetting.parse(last.before());
          OffSetting to = OffSetting.parse(last.value());
          moving.addAll(from.without(to));
          moving.addAll(to.without(from));
          String what = "there is an unfinished plan of " + last.at() + ": " + to.words();
          findings.add(new Finding("plan", false, what, IdleShifter.RESUME));
        });
    nodes.stream()
        .filter(node -> !moving.contains(node.node().name()))
        .forEach(node -> findings.addAll(node.wrong()));
    if (owed && unfinished.isEmpty()) {
      findings.add(
          new Finding(
              "balancer",
              false,
              "it is off, and was on before an abandoned plan",
              "./calando idle up --local"));
    }
    if (notServed > 0) {
      findings.add(
          new Finding(
              "regions",
              false,
              notServed + " not served",
              findings.isEmpty()
                  ? "wait; if they stay so, the master's log says why"
                  : Remedies.FIRST));
    }
    blocks.finding(findings.isEmpty() ? LOST : Remedies.FIRST).ifPresent(findings::add);
    return findings;
  }

  /** Which regions are on which server that answers, by server. */
  private static Map<String, List<Region>> places(IdleMeans means) {
    Map<String, List<Region>> places = new TreeMap<>();
    for (String server : means.live()) {
      try {
        places.put(server, means.regions().regions(server, ANSWER));
      } catch (FailedWorkException e) {
        // The master holds one that hangs for live until its session ends: it counts as not live.
      }
    }
    return places;
  }

  /** Regions that are being opened or closed, or got stuck in it, and are open on no server. */
  private static int notServed(RegionServers regions, Map<String, List<Region>> places) {
    Set<String> open = new TreeSet<>();
    places.values().forEach(held -> held.forEach(region -> open.add(region.id())));
    Set<String> waiting = new TreeSet<>(regions.inTransition().keySet());
    waiting.removeAll(open);
    return waiting.size();
  }

  /** One look at all blocks, for what is near and for what can be read. */
  private static LocalBytes local(IdleMeans means, BlockView blocks) {
    GearCluster hdfs = means.dataNodes().cluster();
    LocalBytes local = new LocalBytes(means.root(), hdfs.members());
    hdfs.survey(
        block -> {
          local.add(block);
          if (block.copies() > 0) {
            blocks.add(block);
          }
        });
    return local;
  }

  private static DataNode dataNode(IdleMeans means, IdleNode node) {
    Member member = member(means, node);
    boolean answers = member.live() && means.dataNodes().cluster().answers(member);
    return new DataNode(member, answers, means.dataNodes().power(node.dataNode()));
  }

  private static OptionalDouble some(@Nullable Double value) {
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** The mean of regions' localities as servers told them, by server. */
  private static Map<String, Double> told(RegionServers regions) {
    Map<String, double[]> sums = new HashMap<>();
    for (RegionServers.Report report : regions.reports()) {
      for (RegionServers.Load load : report.loads()) {
        double[] sum = sums.computeIfAbsent(report.server(), server -> new double[2]);
        sum[0] += load.locality();
        sum[1]++;
      }
    }
    Map<String, Double> means = new HashMap<>();
    sums.forEach((server, sum) -> means.put(server, sum[0] / sum[1]));
    return means;
  }

  private static Member member(IdleMeans means, IdleNode node) {
    return means.dataNodes().members(Set.of(node.dataNode())).stream()
        .min(Comparator.comparingInt(Member::number))
        .orElseThrow(
            () ->
                new FailedWorkException(
                    "the NameNode does not know " + node.dataNode(),
                    "node " + node.name(),
                    "correct the DataNode's address"));
  }
}
