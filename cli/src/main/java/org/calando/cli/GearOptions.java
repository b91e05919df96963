package org.calando.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.core.BadRequestException;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.engine.InventorySpec;
import org.calando.engine.hdfs.HdfsSpec;
import org.calando.gears.CatchUpPace;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.studyfile.StudyFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster a gear command is about. */
final class GearOptions {
  private static final String FILES = LocalHdfs.ENGINE;
  private static final String RACKS = LocalCassandra.ENGINE;

  @Option(
      names = "--inventory",
      paramLabel = "FILE.yaml",
      description =
          "The cluster: its nodes with their switches; of an HDFS its NameNode and files, of a"
              + " Cassandra each node's JMX. A Cassandra whose nodes need a login or TLS: a study on"
              + " its inventory, which has them.")
  private @Nullable Path inventory;

  @Option(
      names = "--local",
      arity = "0..1",
      paramLabel = "ENGINE",
      fallbackValue = FILES,
      description =
          "The cluster that ./calando local start ENGINE left running: hdfs, or cassandra; without"
              + " ENGINE hdfs.")
  private @Nullable String local;

  @Option(
      names = "--copies",
      paramLabel = "N",
      description =
          "Cassandra: copies of each range that stay on; without it as many as a quorum needs.")
  private @Nullable Integer copies;

  @Option(
      names = "--survive",
      paramLabel = "N",
      description = "Cassandra: nodes that may fail while racks are off; without it none.")
  private @Nullable Integer survive;

  /**
   * Connects.
   *
   * @throws BadRequestException unless just one cluster is named, and its file is right
   */
  GearWork open(CatchUpPace pace, GearProgress news) {
    if (isOfRacks()) {
      if (!pace.equals(CatchUpPace.FOREGROUND)) {
        throw new BadRequestException(
            "--background and --bandwidth are of HDFS only",
            "gear",
            "remove them; nodetool sethintedhandoffthrottlekb limits what is delivered");
      }
      return inventory == null
          ? GearRacks.local(keeps(), news)
          : GearRacks.of(inventory, keeps(), news);
    }
    return files(pace, news);
  }

  /**
   * Connects to an HDFS.
   *
   * @throws BadRequestException as {@link #open}, and if a Cassandra is named
   */
  GearAccess files(CatchUpPace pace, GearProgress news) {
    if (isOfRacks()) {
      throw new BadRequestException(
          "is of HDFS only", "gear", "give the inventory of an HDFS, or --local");
    }
    if (inventory != null && !StudyFile.isInventory(inventory)) {
      throw new BadRequestException(
          "is a study; an HDFS is named by its inventory",
          inventory.toString(),
          "name the inventory that the study is on");
    }
    if (copies != null || survive != null) {
      throw new BadRequestException(
          "is of Cassandra only", copies != null ? "--copies" : "--survive", "remove it");
    }
    return GearAccess.of(Optional.ofNullable(inventory), pace, news);
  }

  private boolean isOfRacks() {
    if ((local == null) == (inventory == null)) {
      throw new BadRequestException(
          local != null ? "two clusters are named" : "no cluster is named",
          "gear",
          "give --inventory FILE.yaml, or --local for that of ./calando local start hdfs, or"
              + " --local cassandra");
    }
    if (inventory != null) {
      InventorySpec given = StoreAccess.inventory(inventory);
      return given.find(HdfsSpec.class).isEmpty()
          && given.nodes().stream().anyMatch(node -> node.jmx().isPresent());
    }
    if (!FILES.equals(local) && !RACKS.equals(local)) {
      throw new BadRequestException(
          "'" + local + "' has no gears", "--local", "name hdfs or cassandra");
    }
    return RACKS.equals(local);
  }

  private KeptCopies keeps() {
    OptionalInt asked = copies == null ? OptionalInt.empty() : OptionalInt.of(copies);
    requireAtLeast(1, copies, "--copies");
    requireAtLeast(0, survive, "--survive");
    return new KeptCopies(asked, survive == null ? 0 : survive);
  }

  private static void requireAtLeast(int least, @Nullable Integer value, String option) {
    if (value != null && value < least) {
      throw new BadRequestException("is " + value, option, "give " + least + " or more");
    }
  }
}
