package org.calando.engine.hdfs;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.calando.control.Patience;
import org.calando.core.BadRequestException;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.policy.gear.GearModel;
import org.calando.engine.InventorySpec;
import org.calando.gears.CatchUpPace;
import org.calando.gears.GearFiles;
import org.calando.gears.GearMeans;
import org.calando.gears.HdfsGears;
import org.calando.gears.LocalGears;
import org.calando.gears.ShiftNews;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.process.RunState;
import org.calando.power.Ticker;
import org.calando.power.onoff.Lookout;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.hdfs.HdfsAccess;
import org.calando.store.hdfs.HdfsCluster;
import org.calando.store.hdfs.NodeTraffic;

/** A geared HDFS of the user's own, connected. Not thread safe. */
public final class OwnGears implements AutoCloseable {
  private static final String START = "./calando local start hdfs --set gears=3,7";
  private static final Duration KNOCK = Duration.ofSeconds(2);

  /** A NameNode that is started again answers within this time. */
  public static final Duration ANSWER = Duration.ofSeconds(30);

  private final HdfsGears gears;
  private final GearMeans means;
  private final Map<String, String> profiles;
  private final double offSeconds;

  private OwnGears(
      HdfsGears gears, GearMeans means, Map<String, String> profiles, double offSeconds) {
    this.gears = gears;
    this.means = means;
    this.profiles = Map.copyOf(profiles);
    this.offSeconds = offSeconds;
  }

  /**
   * That which the user started on this machine.
   *
   * @param folder of its state
   * @param named options of the commands that name it
   * @throws BadRequestException if there is none, or it has no gears
   */
  public static OwnGears local(Path folder, String named, CatchUpPace pace, ShiftNews news) {
    if (!RunState.existsIn(folder)) {
      throw new BadRequestException(
          "there is no local cluster", folder.toString(), "start one: " + START);
    }
    LocalHdfs cluster = LocalHdfs.attach(folder);
    Path path = LocalGears.file(cluster.folder());
    if (!LocalGears.isGeared(cluster.folder())) {
      throw new BadRequestException(
          "the local cluster has no gears",
          path.toString(),
          "start one in its place: ./calando local stop hdfs, which removes the data; then "
              + START);
    }
    GearFile file = GearFiles.read(path);
    HdfsGears gears =
        HdfsGears.open(cluster.uri(), cluster.nameNodeHttp(), cluster.hostsFile(), file);
    Map<String, PowerSwitch> switches = LocalGears.switches(cluster);
    return new OwnGears(
        gears,
        new GearMeans(gears, path, file, switches, Patience.usual(), pace, news, named),
        Map.of(),
        GearModel.PROCESS_OFF_SECONDS);
  }

  /**
   * By its inventory.
   *
   * @param where the inventory stands, for messages
   * @param named options of the commands that name it; may be empty
   * @param answerWithin how long to go on asking a NameNode that does not answer
   * @throws BadRequestException if the inventory is not that of the gear file
   */
  public static OwnGears of(
      InventorySpec inventory,
      String where,
      String named,
      CatchUpPace pace,
      ShiftNews news,
      Duration answerWithin) {
    HdfsAccess access = access(inventory, where).answerWithin(answerWithin).build();
    HdfsSpec hdfs = spec(inventory, where);
    Path path = inventory.folder().resolve(hdfs.gearFile());
    GearFile file = GearFiles.read(path);
    requireNodes(inventory, where, file);
    HdfsGears gears = new HdfsGears(HdfsCluster.open(access), file);
    return new OwnGears(
        gears,
        new GearMeans(gears, path, file, switches(inventory), Patience.usual(), pace, news, named),
        profiles(inventory),
        inventory.offSeconds());
  }

  private static HdfsSpec spec(InventorySpec inventory, String where) {
    return inventory
        .find(HdfsSpec.class)
        .orElseThrow(
            () ->
                new BadRequestException(
                    "the inventory has no section hdfs",
                    where,
                    "add hdfs: {namenode, http, hosts-file, gear-file}; see docs/gears.md"));
  }

  /**
   * How an inventory's cluster is reached.
   *
   * @param where the inventory stands, for messages
   * @throws BadRequestException if the inventory does not say it
   */
  static HdfsAccess.Builder access(InventorySpec inventory, String where) {
    HdfsSpec hdfs = spec(inventory, where);
    HdfsAccess.Builder access =
        HdfsAccess.of(hdfs.nameNode())
            .http(hdfs.http())
            .hostsFile(inventory.folder().resolve(hdfs.hostsFile()));
    hdfs.user().ifPresent(access::user);
    return access;
  }

  /** Refuses an inventory of other nodes than the gear file's. */
  private static void requireNodes(InventorySpec inventory, String where, GearFile gears) {
    List<String> mine = inventory.nodes().stream().map(OwnGears::address).toList();
    List<String> missing = new ArrayList<>(gears.nodes());
    missing.removeAll(mine);
    List<String> extra = new ArrayList<>(mine);
    extra.removeAll(gears.nodes());
    if (!missing.isEmpty() || !extra.isEmpty()) {
      throw new BadRequestException(
          "the inventory and the gear file have other nodes; only in the gear file: "
              + missing
              + ", only in the inventory: "
              + extra,
          where,
          "list the transfer addresses of the gear file as address and port of nodes");
    }
  }

  /** Where a node takes blocks. */
  static String address(InventorySpec.Node node) {
    return node.address() + ":" + node.port();
  }

  private static Map<String, String> profiles(InventorySpec inventory) {
    Map<String, String> profiles = new TreeMap<>();
    inventory
        .nodes()
        .forEach(node -> node.profile().ifPresent(name -> profiles.put(address(node), name)));
    return profiles;
  }

  private static Map<String, PowerSwitch> switches(InventorySpec inventory) {
    Map<String, PowerSwitch> switches = new TreeMap<>();
    for (InventorySpec.Node node : inventory.nodes()) {
      node.powerSwitch()
          .ifPresent(
              spec ->
                  switches.put(
                      address(node),
                      spec.verified(
                          node.name(),
                          Optional.of(Lookout.port(node.address(), node.port(), KNOCK)),
                          Ticker.system())));
    }
    return switches;
  }

  /** What shifts work with. */
  public GearMeans means() {
    return means;
  }

  /** Names of nodes' power profiles, by transfer address, where the inventory tells them. */
  public Map<String, String> profiles() {
    return profiles;
  }

  /** What each node that is on has read and written. */
  List<NodeTraffic> traffic() {
    return gears.traffic();
  }

  /** From the order to power off of a node, in seconds. */
  public double offSeconds() {
    return offSeconds;
  }

  @Override
  public void close() {
    gears.close();
  }
}
