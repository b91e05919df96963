package org.calando.engine.hdfs;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.calando.control.Patience;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.ClientRequests;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.store.FileStore;
import org.calando.engine.ClusterControl;
import org.calando.engine.FileTarget;
import org.calando.engine.NodeGears;
import org.calando.engine.StartedTarget;
import org.calando.gears.CatchUpPace;
import org.calando.gears.GearFiles;
import org.calando.gears.GearMeans;
import org.calando.gears.HdfsGears;
import org.calando.gears.HdfsNodeGears;
import org.calando.gears.LocalGears;
import org.calando.gears.ShiftNews;
import org.calando.local.cache.ColdCache;
import org.calando.local.grep.GrepResult;
import org.calando.local.grep.GrepSpec;
import org.calando.local.grep.LocalGrep;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.RunFolder;
import org.calando.local.process.SupervisedProcess;
import org.calando.power.schema.PowerSpec;
import org.calando.store.hdfs.HdfsAccess;
import org.calando.store.hdfs.HdfsCluster;
import org.calando.store.hdfs.HdfsFiles;
import org.calando.store.hdfs.HdfsRequests;

/**
 * An HDFS with gears on this machine that lives as long as the study; it starts in its highest
 * gear. Its nodes are the DataNodes. Not thread safe, but for {@link #nodes} and {@link #off}.
 */
final class HdfsTarget extends StartedTarget implements FileTarget, ClientRequests.Source {
  private static final String FOLDER = "gears";
  private static final Duration POLICY_WITHIN = Duration.ofMinutes(2);

  /** A node that this machine lets wait is neither dead nor passed over, which moves blocks. */
  private static final Duration DEAD_AFTER = Duration.ofSeconds(45);

  private static final String STALE_MILLIS = "30000";

  private final ProcessGroup folder;
  private final LocalHdfs cluster;
  private final HdfsCluster hdfs;
  private final HdfsFiles files;
  private final HdfsGears gears;
  private final int replication;
  private final HdfsNodeGears box;

  private HdfsTarget(PowerSpec power, HdfsLocal spec, ProcessGroup folder, LocalHdfs cluster) {
    super(power, cluster);
    this.folder = folder;
    this.cluster = cluster;
    var file = LocalGears.install(cluster, folder.folder(), spec.spec());
    this.gears = HdfsGears.open(cluster.uri(), cluster.nameNodeHttp(), cluster.hostsFile(), file);
    this.replication = file.layout().replicas();
    awaitPolicy();
    this.hdfs = HdfsCluster.open(access());
    this.files = HdfsFiles.open(hdfs, file.folder());
    this.box =
        new HdfsNodeGears(
            NodeGears.User.study(power.profile(), this::processes),
            new GearMeans(
                gears,
                gearFile(),
                file,
                LocalGears.switches(cluster),
                Patience.usual(),
                CatchUpPace.FOREGROUND,
                ShiftNews.NONE),
            gears::traffic,
            GearModel.PROCESS_OFF_SECONDS,
            () -> {});
  }

  /**
   * Starts one.
   *
   * @throws org.calando.core.CalandoException if it does not come up; nothing is left then
   */
  static HdfsTarget start(PowerSpec power, HdfsLocal spec) {
    ProcessGroup folder =
        new ProcessGroup(
            RunFolder.temporary(RunFolder.base(), FOLDER, JsonNodeFactory.instance.objectNode()));
    try {
      folder.guardAgainstCrash();
      LocalHdfs cluster = LocalHdfs.start(config(spec, folder.folder()).build());
      try {
        return new HdfsTarget(power, spec, folder, cluster);
      } catch (RuntimeException | Error e) {
        cluster.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      folder.discard();
      throw e;
    }
  }

  /**
   * The local cluster's configuration as the study's file has it.
   *
   * @param gears where its gear file is to be
   */
  static LocalHdfsConfig.Builder config(HdfsLocal spec, Path gears) {
    LocalHdfsConfig.Builder builder =
        LocalHdfsConfig.builder()
            .nodes(spec.gears().get(spec.gears().size() - 1))
            .deadAfter(DEAD_AFTER)
            .setting("dfs.namenode.stale.datanode.interval", STALE_MILLIS);
    spec.conf().forEach((name, value) -> builder.setting(name, String.valueOf(value)));
    return LocalGears.prepare(builder, gears);
  }

  private HdfsAccess access() {
    return HdfsAccess.of(cluster.uri())
        .http(cluster.nameNodeHttp())
        .hostsFile(cluster.hostsFile())
        .build();
  }

  @Override
  public ClientRequests requests() {
    Map<String, String> names = new TreeMap<>();
    cluster.nodes().forEach(node -> names.put(node.transferAddress(), node.name()));
    return HdfsRequests.of(access(), names);
  }

  private Path gearFile() {
    return LocalGears.file(folder.folder());
  }

  private void awaitPolicy() {
    String hash = GearFiles.hash(gearFile());
    boolean taken =
        SupervisedProcess.poll(
            () -> gears.inForce().filter(now -> now.hash().equals(hash)).isPresent(),
            POLICY_WITHIN);
    if (!taken) {
      throw new FailedWorkException(
          "the NameNode's placement policy does not take the gear file",
          cluster.nameNodeLog().toString(),
          "see that log");
    }
  }

  private Map<String, List<Long>> processes() {
    return cluster.nodes().stream()
        .collect(Collectors.toMap(LocalHdfsNode::name, node -> List.of(node.pid())));
  }

  @Override
  public NodeGears gears() {
    return box;
  }

  @Override
  public int replication() {
    return replication;
  }

  @Override
  public FileStore files() {
    return files;
  }

  @Override
  public String engine() {
    return "HDFS " + hdfs.version();
  }

  @Override
  public List<String> dropCache() {
    ColdCache.Outcome cold = cold();
    return cold.isCold() ? List.of() : List.of("reads began warm: " + cold.describe());
  }

  @Override
  public Grep grep(String pattern, int maps, Duration deadline) {
    GrepResult result =
        LocalGrep.run(
            GrepSpec.of(cluster.uri() + files.folder(), pattern)
                .withMaps(maps)
                .withDeadline(deadline));
    return new Grep(result.matches(), result.bytes(), result.seconds());
  }

  private ColdCache.Outcome cold() {
    return ColdCache.drop(cluster.nodes().stream().map(LocalHdfsNode::dataFolder).toList(), false);
  }

  @Override
  public List<Node> nodes() {
    return cluster.nodes().stream()
        .map(node -> node(node.name(), node.transferAddress(), "", node.pid(), node.logFile()))
        .toList();
  }

  @Override
  public List<String> notes() {
    return List.of(
        "nodes are the DataNodes; the NameNode's energy is in no figure",
        "before each run's reads: " + cold().describe(),
        "a node that is off draws the profile's off power from the reading on in which it is seen"
            + " so; boots are in shift_energy_j only");
  }

  @Override
  public Set<String> off() {
    int on = box.nodesOn(box.gear());
    return cluster.nodes().stream()
        .filter(node -> node.index() > on && !cluster.isRunning(node.index()))
        .map(LocalHdfsNode::name)
        .collect(Collectors.toSet());
  }

  /** {@inheritDoc} An unfinished shift is resumed, and all nodes are on in the end. */
  @Override
  public List<String> heal() {
    List<String> restarted = new ArrayList<>();
    if (!cluster.isNameNodeRunning()) {
      cluster.launch(LocalHdfs.NAME_NODE);
      restarted.add("NameNode");
    }
    restarted.addAll(startMissing());
    box.heal();
    restarted.addAll(startMissing());
    return restarted;
  }

  /** Starts what is to be on in the present gear and is not. */
  private List<String> startMissing() {
    List<String> started =
        cluster.launchMissing(cluster.nodeNames().subList(0, box.nodesOn(box.gear())));
    if (!started.isEmpty() || !cluster.isNameNodeUp()) {
      cluster.awaitUp();
    }
    return started;
  }

  @Override
  public Optional<ClusterControl> control() {
    return Optional.empty();
  }

  @Override
  public void close() {
    hdfs.close();
    gears.close();
    super.close();
    folder.discard();
  }
}
