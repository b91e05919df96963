package org.calando.gears;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.ParaidLayout;
import org.calando.gears.Member.Service;
import org.calando.store.hdfs.FileBlocks;
import org.calando.store.hdfs.HdfsAccess;
import org.calando.store.hdfs.HdfsCluster;
import org.calando.store.hdfs.HdfsNode;
import org.calando.store.hdfs.NodeTraffic;
import org.calando.store.hdfs.ReplicationCount;
import org.calando.store.hdfs.TransferResult;

/** A real HDFS as gears see it. Thread safe. */
public final class HdfsGears implements GearCluster, AutoCloseable {
  private static final String BEAN = "Calando:type=GearPlacement";
  private static final String IN_FORCE = "in force";
  private static final String STALE = "dfs.namenode.stale.datanode.interval";
  private static final Pattern NUMBER = Pattern.compile("\\d{1,12}");
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final HdfsCluster hdfs;
  private final List<String> names;
  private final Predicate<FileBlocks> ours;
  private final Map<String, Integer> numbers = new HashMap<>();

  /**
   * A cluster that is connected.
   *
   * @param hdfs is closed with this
   * @param file which nodes it has
   */
  public HdfsGears(HdfsCluster hdfs, GearFile file) {
    this(hdfs, file.nodes(), blocks -> isOurs(file, blocks));
  }

  private HdfsGears(HdfsCluster hdfs, List<String> names, Predicate<FileBlocks> ours) {
    this.hdfs = hdfs;
    this.names = List.copyOf(names);
    this.ours = ours;
    for (String node : names) {
      numbers.put(node, numbers.size() + 1);
    }
  }

  /**
   * A cluster that is connected, whose blocks HDFS places as it does: no file is laid out by gears.
   *
   * @param hdfs is closed with this
   * @param names transfer addresses of its nodes
   */
  public static HdfsGears withoutLayout(HdfsCluster hdfs, List<String> names) {
    return new HdfsGears(hdfs, names, blocks -> false);
  }

  /**
   * Connects.
   *
   * @param uri of the NameNode
   * @param http where it shows its counters, HOST:PORT
   * @param hostsFile its {@code dfs.hosts}
   * @param file which nodes it has
   */
  public static HdfsGears open(String uri, String http, Path hostsFile, GearFile file) {
    return new HdfsGears(
        HdfsCluster.open(HdfsAccess.of(uri).http(http).hostsFile(hostsFile).build()), file);
  }

  @Override
  public String target() {
    return hdfs.access().uri().toString();
  }

  @Override
  public List<Member> members() {
    Map<String, HdfsNode> known = nodes();
    List<Member> members = new ArrayList<>();
    for (String name : names) {
      HdfsNode node = known.get(name);
      int number = members.size() + 1;
      members.add(
          node == null
              ? new Member(number, name, false, Service.OTHER, 0)
              : new Member(
                  number,
                  name,
                  node.live(),
                  service(node),
                  Math.max(0, node.lastReport().toEpochMilli())));
    }
    return members;
  }

  @Override
  public boolean answers(Member member) {
    HdfsNode node = nodes().get(member.name());
    if (node == null) {
      return false;
    }
    Duration silence = hdfs.silences().getOrDefault(node.name(), LONGEST_SILENCE);
    return silence.compareTo(longestSilence()) < 0 && hdfs.answers(node, PATIENCE);
  }

  /** After which the NameNode itself passes a node over, if it can. */
  private Duration longestSilence() {
    return hdfs.setting(STALE)
        .filter(value -> NUMBER.matcher(value).matches())
        .map(value -> Duration.ofMillis(Long.parseLong(value)))
        .orElse(LONGEST_SILENCE);
  }

  private Map<String, HdfsNode> nodes() {
    Map<String, HdfsNode> known = new HashMap<>();
    for (HdfsNode node : hdfs.nodes()) {
      // Without an identity it is but a line of the hosts file: the name server has not heard of
      // it.
      if (!node.uuid().isEmpty()) {
        known.put(nameOf(node), node);
      }
    }
    return known;
  }

  /** As the gear file names it: by address or by host name. */
  private String nameOf(HdfsNode node) {
    String byHost = node.hostName() + node.name().substring(node.name().lastIndexOf(':'));
    return numbers.containsKey(node.name()) || !numbers.containsKey(byHost) ? node.name() : byHost;
  }

  private static Service service(HdfsNode node) {
    return switch (node.state()) {
      case NORMAL -> Service.IN_SERVICE;
      case ENTERING_MAINTENANCE -> Service.ENTERING_MAINTENANCE;
      case IN_MAINTENANCE -> Service.IN_MAINTENANCE;
      default -> Service.OTHER;
    };
  }

  @Override
  public Set<String> maintained() {
    return new TreeSet<>(hdfs.maintenance(names));
  }

  @Override
  public void maintain(Set<String> resting) {
    hdfs.setMaintenance(names, resting);
  }

  @Override
  public Optional<InForce> inForce() {
    return hdfs.bean(BEAN)
        .filter(bean -> bean.path("State").asText().equals(IN_FORCE))
        .map(bean -> new InForce(bean.path("Gear").asInt(), bean.path("FileHash").asText()));
  }

  /** What each node that is on has read and written. */
  public List<NodeTraffic> traffic() {
    return hdfs.traffic();
  }

  /** A figure of the placement policy's bean; empty if there is none. */
  public Optional<JsonNode> placement(String name) {
    return hdfs.bean(BEAN).map(bean -> bean.path(name));
  }

  @Override
  public Optional<String> setting(String key) {
    return hdfs.setting(key);
  }

  @Override
  public void survey(Consumer<StoredBlock> each) {
    Map<String, Integer> byUuid = byUuid();
    hdfs.files("/", one -> blocks(one, byUuid).forEach(each));
  }

  @Override
  public List<StoredBlock> file(String path) {
    return hdfs.file(path).map(one -> blocks(one, byUuid())).orElse(List.of());
  }

  private Map<String, Integer> byUuid() {
    Map<String, Integer> byUuid = new HashMap<>();
    nodes()
        .forEach(
            (name, node) -> {
              Integer number = numbers.get(name);
              if (number != null) {
                byUuid.put(node.uuid(), number);
              } else if (node.inService()) {
                byUuid.put(node.uuid(), 0);
              }
            });
    return byUuid;
  }

  private List<StoredBlock> blocks(FileBlocks one, Map<String, Integer> byUuid) {
    List<StoredBlock> blocks = new ArrayList<>();
    boolean isOurs = ours.test(one);
    for (FileBlocks.BlockReplicas block : one.blocks()) {
      TreeSet<Integer> nodes = new TreeSet<>();
      // Erasure-coded files have replication 0: no node has a whole block.
      if (one.replication() > 0 && !block.corrupt()) {
        for (String uuid : block.holders()) {
          Integer number = byUuid.get(uuid);
          if (number != null) {
            nodes.add(number);
          }
        }
      }
      int index = blocks.size();
      blocks.add(
          new StoredBlock(
              one.path(),
              index,
              block.id(),
              block.bytes(),
              nodes,
              isOurs,
              one.open() && index == one.blocks().size() - 1,
              one.replication()));
    }
    return blocks;
  }

  /** A file of fewer replicas than RABBIT's is placed as far as it goes, and left there. */
  private static boolean isOurs(GearFile file, FileBlocks one) {
    boolean enough =
        file.layout() instanceof ParaidLayout || one.replication() >= file.layout().replicas();
    return enough && file.covers(one.path());
  }

  @Override
  public long blocks() {
    return hdfs.blocks();
  }

  @Override
  public void askForReport(Member node) {
    HdfsNode known = nodes().get(node.name());
    if (known != null) {
      hdfs.askForReport(known);
    }
  }

  @Override
  public long reReplications() {
    long sent =
        hdfs.replicationCounts().values().stream().mapToLong(ReplicationCount::blocks).sum();
    // Nodes' counts begin anew with their processes; the policy knows what it was asked for.
    return sent + placement("ReplicationsOrdered").map(JsonNode::asLong).orElse(0L);
  }

  @Override
  public Outcome transfer(StoredBlock block, int from, int source, int to, Duration within) {
    Optional<FileBlocks.BlockReplicas> now =
        hdfs.file(block.path()).stream()
            .flatMap(one -> one.blocks().stream())
            .filter(one -> one.id() == block.id())
            .findFirst();
    if (now.isEmpty()) {
      return Outcome.GONE;
    }
    Map<String, HdfsNode> known = nodes();
    TransferResult result =
        hdfs.transfer(
            now.get(), node(known, from).uuid(), node(known, source), node(known, to), within);
    return switch (result.outcome()) {
      case DONE -> Outcome.DONE;
      case EXISTS -> Outcome.WAS_THERE;
      case BUSY -> Outcome.BUSY;
      default ->
          throw new FailedWorkException(
              result.outcome() + " " + result.reason(),
              "copy to " + names.get(to - 1),
              "see that node's log");
    };
  }

  private HdfsNode node(Map<String, HdfsNode> known, int number) {
    String name = names.get(number - 1);
    HdfsNode node = known.get(name);
    if (node == null) {
      throw new FailedWorkException(
          "the NameNode does not know it", "node " + name, Remedies.SERVER);
    }
    return node;
  }

  @Override
  public void close() {
    hdfs.close();
  }
}
