package org.calando.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.layout.gear.GearFile;
import org.calando.gears.CatchUpPace;
import org.calando.gears.CatchUpTotals;
import org.calando.gears.GearFiles;
import org.calando.gears.GearMeans;
import org.calando.gears.HdfsGears;
import org.calando.gears.LocalGears;
import org.calando.gears.Patience;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.hdfs.NodeTraffic;

/** A geared cluster that a command works on. Not thread safe. */
final class GearAccess implements AutoCloseable {
  private final HdfsGears gears;
  private final GearMeans means;
  private final GearProgress news;
  private final Map<String, String> profiles;

  private GearAccess(
      HdfsGears gears,
      Path path,
      GearFile file,
      Map<String, PowerSwitch> switches,
      Map<String, String> profiles,
      CatchUpPace pace,
      GearProgress news) {
    this.gears = gears;
    this.profiles = Map.copyOf(profiles);
    this.news = news;
    this.means = new GearMeans(gears, path, file, switches, Patience.usual(), pace, news);
  }

  /**
   * That which the user started on this machine.
   *
   * @throws BadRequestException if there is none, or it has no gears
   */
  static GearAccess local(CatchUpPace pace, GearProgress news) {
    LocalHdfs cluster = LocalHdfs.attach(StateFolder.local(LocalHdfs.ENGINE));
    Path path = LocalGears.file(cluster.folder());
    if (!LocalGears.isGeared(cluster.folder())) {
      throw new BadRequestException(
          "the local cluster has no gears",
          path.toString(),
          "start one: ./calando local start hdfs --set nodes=7 --set gears=3,7");
    }
    GearFile file = GearFiles.read(path);
    HdfsGears gears =
        HdfsGears.open(cluster.uri(), cluster.nameNodeHttp(), cluster.hostsFile(), file);
    return new GearAccess(gears, path, file, LocalGears.switches(cluster), Map.of(), pace, news);
  }

  /**
   * A user's own.
   *
   * @throws BadRequestException if the file is wrong
   */
  static GearAccess of(Path inventory, CatchUpPace pace, GearProgress news) {
    GearInventory read = GearInventory.read(inventory);
    GearFile file = GearFiles.read(read.gearFile());
    read.requireNodes(file);
    return new GearAccess(
        read.open(file), read.gearFile(), file, read.switches(), read.profiles(), pace, news);
  }

  GearMeans means() {
    return means;
  }

  /** Names of nodes' power profiles, by transfer address, where the inventory tells them. */
  Map<String, String> profiles() {
    return profiles;
  }

  /** What each node that is on has read and written. */
  List<NodeTraffic> traffic() {
    return gears.traffic();
  }

  /** Of the last catch-up. */
  Optional<CatchUpTotals> totals() {
    return news.totals();
  }

  @Override
  public void close() {
    gears.close();
  }
}
