package org.calando.gears;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.calando.core.BadRequestException;
import org.calando.core.layout.gear.GearFile;
import org.calando.kept.LocalServer;
import org.calando.local.EngineLibs;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.power.Ticker;
import org.calando.power.onoff.Lookout;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.ProcessSwitch;
import org.calando.power.onoff.SwitchTimes;
import org.calando.power.onoff.VerifiedSwitch;

/**
 * A local HDFS with gears: its NameNode has the placement policy, and its nodes' processes are
 * switched. Stateless.
 */
public final class LocalGears {
  /** Our jar for the NameNode, as an engine of its own. */
  public static final String PLACEMENT = "hdfs/placement";

  private static final String FILE = "gears.json";
  private static final String LOG = "offload.log";
  private static final Duration KNOCK = Duration.ofSeconds(1);

  private LocalGears() {}

  /** Where the gear file of a cluster in a folder is. */
  public static Path file(Path folder) {
    return folder.resolve(FILE);
  }

  /**
   * Adds what a cluster needs for gears.
   *
   * @param builder of the cluster
   * @param folder where its gear file is to be
   */
  public static LocalHdfsConfig.Builder prepare(LocalHdfsConfig.Builder builder, Path folder) {
    EngineLibs.find().program(PLACEMENT).forEach(builder::nameNodeJar);
    return builder
        .setting("dfs.block.replicator.classname", "org.calando.hdfs.GearPlacementPolicy")
        .setting("calando.gear.file", file(folder).toString());
  }

  /**
   * Writes the gear file of a cluster that has been started; the NameNode reads it by itself.
   *
   * @throws BadRequestException if the layout is none, or is for another number of nodes
   */
  public static GearFile install(LocalHdfs cluster, Path folder, GearSpec spec) {
    GearFile file =
        spec.file(
            cluster.nodes().stream().map(LocalHdfsNode::transferAddress).toList(),
            folder.resolve(LOG));
    int nodes = file.layout().groups().nodes();
    if (nodes != cluster.nodes().size()) {
      throw new BadRequestException(
          "gears "
              + spec.gears()
              + " are for "
              + nodes
              + " nodes, and there are "
              + cluster.nodes().size(),
          "gears",
          "make the last the number of nodes");
    }
    GearFiles.write(file, file(folder));
    return file;
  }

  /** Whether a cluster in a folder has gears. */
  public static boolean isGeared(Path folder) {
    return Files.exists(file(folder));
  }

  /** Its nodes' switches, by the names of the gear file. */
  public static Map<String, PowerSwitch> switches(LocalHdfs cluster) {
    Map<String, PowerSwitch> switches = new TreeMap<>();
    for (LocalHdfsNode node : cluster.nodes()) {
      switches.put(
          node.transferAddress(),
          new VerifiedSwitch(
              new ProcessSwitch(new LocalServer(cluster, "n" + node.index())),
              Optional.of(Lookout.port(node.address(), node.transferPort(), KNOCK)),
              SwitchTimes.USUAL,
              Ticker.system()));
    }
    return switches;
  }
}
