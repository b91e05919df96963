package org.calando.geartrials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.calando.control.Patience;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearFile;
import org.calando.gears.CatchUpPace;
import org.calando.gears.GearFiles;
import org.calando.gears.GearMeans;
import org.calando.gears.GearShifter;
import org.calando.gears.GearSpec;
import org.calando.gears.GearStatus;
import org.calando.gears.HdfsGears;
import org.calando.gears.LocalGears;
import org.calando.gears.ShiftNews;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.calando.local.process.SupervisedProcess;
import org.calando.power.onoff.PowerSwitch;

/**
 * A real HDFS with gears, for tests and trials: NameNode, DataNodes, placement policy, switches.
 */
public final class GearBed implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path folder;
  private final LocalHdfs cluster;
  private final GearFile file;
  private final Map<String, PowerSwitch> switches;
  private final HdfsGears gears;

  private GearBed(Path folder, LocalHdfs cluster, GearFile file) {
    this.folder = folder;
    this.cluster = cluster;
    this.file = file;
    this.switches = new TreeMap<>(LocalGears.switches(cluster));
    this.gears = connect();
  }

  /** Starts one in its highest gear. */
  public static GearBed start(GearSpec spec) {
    return start(spec, builder -> builder);
  }

  /**
   * Starts one in its highest gear.
   *
   * @param more settings of the cluster
   */
  public static GearBed start(GearSpec spec, UnaryOperator<LocalHdfsConfig.Builder> more) {
    try {
      Path folder = Files.createTempDirectory("calando-gears");
      int nodes = spec.gears().get(spec.gears().size() - 1);
      LocalHdfsConfig.Builder builder =
          LocalHdfsConfig.builder()
              .nodes(nodes)
              .deadAfter(Duration.ofSeconds(45))
              // A node that this machine lets wait is not passed over, which would be another
              // place.
              .setting("dfs.namenode.stale.datanode.interval", "30000");
      LocalHdfs cluster = LocalHdfs.start(LocalGears.prepare(more.apply(builder), folder).build());
      try {
        GearBed bed = new GearBed(folder, cluster, LocalGears.install(cluster, folder, spec));
        bed.awaitPolicy();
        return bed;
      } catch (RuntimeException | Error e) {
        cluster.close();
        throw e;
      }
    } catch (IOException e) {
      throw new FailedWorkException("no folder: " + e, "temporary files", "make room", e);
    }
  }

  /** Waits until the NameNode answers and has left its safe mode. */
  public void awaitNameNode() {
    await(cluster::isNameNodeUp, "the NameNode does not come back");
  }

  /** Waits until all nodes that run are heard of. */
  public void awaitNodes() {
    await(
        () ->
            gears.members().stream()
                .allMatch(node -> node.live() || !cluster.isRunning(node.number())),
        "not all nodes are heard of");
  }

  /** Waits until all nodes that run have reported: a dead one is heard of for a while. */
  public void awaitReports() {
    await(
        () ->
            cluster.nodes().stream()
                .allMatch(node -> cluster.isUp(node.index()) || !cluster.isRunning(node.index())),
        "not all nodes have reported");
  }

  private void await(BooleanSupplier done, String missing) {
    if (!SupervisedProcess.poll(done, PATIENCE)) {
      throw new FailedWorkException(missing, cluster.folder().toString(), "see the servers' logs");
    }
  }

  /** Puts the nodes' own switches back. */
  public void restoreSwitches() {
    switches.putAll(LocalGears.switches(cluster));
  }

  private void awaitPolicy() {
    await(
        () ->
            gears
                .inForce()
                .filter(now -> now.hash().equals(GearFiles.hash(gearFile())))
                .isPresent(),
        "the placement policy does not take the gear file");
  }

  private HdfsGears connect() {
    return HdfsGears.open(cluster.uri(), cluster.nameNodeHttp(), cluster.hostsFile(), file);
  }

  /** The cluster. */
  public LocalHdfs cluster() {
    return cluster;
  }

  /** What gears see of it. */
  public HdfsGears gears() {
    return gears;
  }

  /** The gear file as it was written first. */
  public GearFile file() {
    return file;
  }

  /** Where the gear file is. */
  public Path gearFile() {
    return LocalGears.file(folder);
  }

  /** The switches; what is put here is used by the next shift. */
  public Map<String, PowerSwitch> switches() {
    return switches;
  }

  /** Replication of files: what the layout needs at most. */
  public int replication() {
    return file.layout().replicas();
  }

  /** What a shift works with. */
  public GearMeans means(CatchUpPace pace, ShiftNews news) {
    return new GearMeans(
        gears, gearFile(), GearFiles.read(gearFile()), switches, Patience.usual(), pace, news);
  }

  /** A shifter as the command makes it. */
  public GearShifter shifter() {
    return shifter(CatchUpPace.FOREGROUND, ShiftNews.NONE);
  }

  /** A shifter as the command makes it. */
  public GearShifter shifter(CatchUpPace pace, ShiftNews news) {
    return new GearShifter(means(pace, news), "a trial");
  }

  /** How it is. */
  public GearStatus status() {
    return GearStatus.of(means(CatchUpPace.FOREGROUND, ShiftNews.NONE));
  }

  /** A book of files in the folder that is placed by gears. */
  public FileBook book() {
    return new FileBook(cluster.uri(), file.folder(), replication());
  }

  @Override
  public void close() {
    gears.close();
    cluster.close();
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.deleteIfExists(path);
                } catch (IOException e) {
                  // a temporary folder: the system removes what is left
                }
              });
    } catch (IOException e) {
      // as above
    }
  }
}
