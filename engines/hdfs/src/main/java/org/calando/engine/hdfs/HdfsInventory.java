package org.calando.engine.hdfs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.observe.ClientRequests;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.Finding;
import org.calando.engine.GearControl;
import org.calando.engine.GearSettings;
import org.calando.engine.InventorySpec;
import org.calando.engine.InventoryTarget;
import org.calando.engine.LoadBounds;
import org.calando.engine.NodeGears;
import org.calando.engine.StoreSpec;
import org.calando.gears.CatchUpPace;
import org.calando.gears.GearDoctor;
import org.calando.gears.HdfsNodeGears;
import org.calando.gears.LocalGears;
import org.calando.gears.ShiftNews;
import org.calando.kept.ClusterStatus;
import org.calando.kept.KeptCluster;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.process.RunState;
import org.calando.store.hdfs.HdfsAccess;
import org.calando.store.hdfs.HdfsRequests;

/** An HDFS of the user's own, whose gears are governed; or that of {@code local start}. */
final class HdfsInventory extends InventoryTarget
    implements GearControl.Governed, ClientRequests.Source {
  /** A NameNode that does not answer now is a finding: nothing is waited for. */
  private static final Duration EXAMINED_WITHIN = Duration.ofSeconds(5);

  /** Its counters are asked for again each period. */
  private static final Duration ANSWER = Duration.ofSeconds(2);

  /** A user's HDFS; its inventory says how it is reached. */
  HdfsInventory(StoreSpec store, NodeProfile profile) {
    super(store, profile);
  }

  @Override
  public NodeGears gears(
      GearSettings settings, NodeProfile profile, String owner, Consumer<String> news) {
    requireFitting(settings);
    CatchUpPace pace =
        settings
            .bandwidth()
            .map(bytes -> new CatchUpPace(bytes, CatchUpPace.BACKGROUND.perNode()))
            .orElse(CatchUpPace.FOREGROUND);
    OwnGears own = open(pace, news::accept, OwnGears.ANSWER);
    return new HdfsNodeGears(
        NodeGears.User.governor(profile, settings, owner),
        own.means(),
        own::traffic,
        own.offSeconds(),
        own::close);
  }

  private OwnGears open(CatchUpPace pace, ShiftNews news, Duration answerWithin) {
    Path folder = inventory().folder();
    return isLocal() && LocalGears.isGeared(folder)
        ? OwnGears.local(folder, named(folder.resolve(KeptCluster.INVENTORY)), pace, news)
        : OwnGears.of(
            inventory(), folder.toString(), named(Path.of("FILE")), pace, news, answerWithin);
  }

  private boolean isLocal() {
    return inventory().find(HdfsSpec.class).isEmpty() && RunState.existsIn(inventory().folder());
  }

  /** The option by which commands name it. */
  private static String named(Path inventory) {
    return "--inventory " + inventory;
  }

  @Override
  public ClientRequests requests() {
    if (!isLocal() && inventory().find(HdfsSpec.class).isEmpty()) {
      return ClientRequests.unknown("the inventory has no section hdfs");
    }
    Map<String, String> names = new TreeMap<>();
    inventory().nodes().forEach(node -> names.put(transferAddress(node), node.name()));
    return HdfsRequests.of(access().answerWithin(ANSWER).build(), names);
  }

  /** As the NameNode knows a node: by number, whatever the inventory calls it. */
  private static String transferAddress(InventorySpec.Node node) {
    try {
      return InetAddress.getByName(node.address()).getHostAddress() + ":" + node.port();
    } catch (UnknownHostException e) {
      return OwnGears.address(node);
    }
  }

  private HdfsAccess.Builder access() {
    Path folder = inventory().folder();
    if (isLocal()) {
      LocalHdfs local = LocalHdfs.attach(folder);
      return HdfsAccess.of(local.uri()).http(local.nameNodeHttp()).hostsFile(local.hostsFile());
    }
    return OwnGears.access(inventory(), folder.toString());
  }

  private static void requireFitting(GearSettings settings) {
    if (!settings.capacity().ofBytes()) {
      throw new BadRequestException(
          "is a rate of operations", "gears.capacity", "write bytes a second, such as 60MB");
    }
    if (settings.least() > 1) {
      throw new BadRequestException(
          "is not supported by hdfs, whose layout says which nodes are on in each gear",
          "gears.least",
          "remove it");
    }
  }

  @Override
  public KeyValueStore connect(LoadBounds bounds) {
    throw new IllegalStateException("no study is on a user's own HDFS");
  }

  /** What a shift relies on; of a local cluster without gears, whether its servers are up. */
  @Override
  public List<Finding> examine(Optional<String> table) {
    if (isLocal() && !LocalGears.isGeared(inventory().folder())) {
      ClusterStatus status = new LocalHdfsClusters().attach(inventory().folder()).status();
      return List.of(
          new Finding(status.isUp(), "local hdfs", status.lacking().orElse("all servers are up")));
    }
    try (OwnGears own = open(CatchUpPace.FOREGROUND, ShiftNews.NONE, EXAMINED_WITHIN)) {
      return GearDoctor.of(own.means()).findings().stream().map(HdfsInventory::finding).toList();
    } catch (CalandoException e) {
      return List.of(new Finding(false, "gears", String.valueOf(e.getMessage())));
    }
  }

  private static Finding finding(GearDoctor.Finding found) {
    String remedy = found.well() ? "" : "\nremedy: " + found.remedy();
    return new Finding(found.well(), found.what(), found.says() + remedy);
  }
}
