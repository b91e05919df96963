package org.calando.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearFile;
import org.calando.gears.CatchUpPace;
import org.calando.gears.CatchUpTotals;
import org.calando.gears.GearDoctor;
import org.calando.gears.GearFiles;
import org.calando.gears.GearMeans;
import org.calando.gears.GearShifter;
import org.calando.gears.HdfsGears;
import org.calando.gears.LocalGears;
import org.calando.gears.Patience;
import org.calando.gears.Remedies;
import org.calando.kept.KeptCluster;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.process.RunState;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.hdfs.NodeTraffic;

/** A geared cluster that a command works on. Not thread safe. */
final class GearAccess implements AutoCloseable {
  private static final String START = "./calando local start hdfs --set gears=3,7";
  private static final String LOCAL = "--local";

  /** A NameNode that is started again answers within this time. */
  private static final Duration ANSWER = Duration.ofSeconds(30);

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
      GearProgress news,
      String named) {
    this.gears = gears;
    this.profiles = Map.copyOf(profiles);
    this.news = news;
    this.means = new GearMeans(gears, path, file, switches, Patience.usual(), pace, news, named);
  }

  /**
   * A user's own by its inventory; without one that which he started on this machine.
   *
   * @throws BadRequestException as {@link #of(Path, CatchUpPace, GearProgress, Duration)} and
   *     {@link #local}
   */
  static GearAccess of(Optional<Path> inventory, CatchUpPace pace, GearProgress news) {
    return inventory.isPresent() ? of(inventory.get(), pace, news, ANSWER) : local(pace, news);
  }

  /**
   * That which the user started on this machine.
   *
   * @throws BadRequestException if there is none, or it has no gears
   */
  static GearAccess local(CatchUpPace pace, GearProgress news) {
    Path folder = StateFolder.local(LocalHdfs.ENGINE);
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
    return new GearAccess(
        gears, path, file, LocalGears.switches(cluster), Map.of(), pace, news, LOCAL);
  }

  /**
   * A user's own; that of {@code local start} by the inventory that it wrote, too.
   *
   * @param answerWithin how long to go on asking a NameNode that does not answer
   * @throws BadRequestException if the file is wrong
   */
  static GearAccess of(Path inventory, CatchUpPace pace, GearProgress news, Duration answerWithin) {
    if (isLocalInventory(inventory)) {
      return local(pace, news);
    }
    GearInventory read = GearInventory.read(inventory);
    GearFile file = GearFiles.read(read.gearFile());
    read.requireNodes(file);
    return new GearAccess(
        read.open(file, answerWithin),
        read.gearFile(),
        file,
        read.switches(),
        read.profiles(),
        pace,
        news,
        "--inventory " + Shell.quote(inventory.toString()));
  }

  /** Whether a file is the inventory that {@code local start} wrote. */
  static boolean isLocalInventory(Path file) {
    try {
      return Files.isSameFile(
          file, StateFolder.local(LocalHdfs.ENGINE).resolve(KeptCluster.INVENTORY));
    } catch (IOException e) {
      // One of both is not there.
      return false;
    }
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

  /** Whether it is that of {@code local start}. */
  boolean isLocal() {
    return means.named().equals(LOCAL);
  }

  /** What resumes the plan that is open, if there is one. */
  Optional<String> openPlan() {
    return GearShifter.unfinished(means.path()).map(last -> Remedies.plan(means));
  }

  /**
   * A node as the gear file has it.
   *
   * @param node its number, or itself
   */
  String node(String node) {
    List<String> nodes = means.file().nodes();
    if (nodes.contains(node)) {
      return node;
    }
    if (node.matches("[1-9]\\d{0,3}") && Integer.parseInt(node) <= nodes.size()) {
      return nodes.get(Integer.parseInt(node) - 1);
    }
    throw new BadRequestException(
        "there is no node '" + node + "'",
        "--without",
        "give a number from 1 to " + nodes.size() + ", or one of " + String.join(", ", nodes));
  }

  /**
   * Refuses a cluster of which a node that is to be on does not serve.
   *
   * @throws FailedWorkException as {@code gear status} has it
   */
  void requireServing() {
    List<GearDoctor.Finding> missing = GearDoctor.missing(means);
    if (!missing.isEmpty()) {
      GearDoctor.Finding first = missing.get(0);
      String more = missing.size() == 1 ? "" : " (and of " + (missing.size() - 1) + " more)";
      throw new FailedWorkException(first.says() + more, first.what(), first.remedy());
    }
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
