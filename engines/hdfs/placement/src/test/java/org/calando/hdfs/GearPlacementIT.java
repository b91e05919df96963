package org.calando.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.OffloadRecord;
import org.calando.core.layout.gear.ParaidLayout;
import org.calando.core.layout.gear.Placer;
import org.calando.core.layout.gear.RabbitLayout;
import org.calando.local.hdfs.LocalHdfs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GearPlacementIT {
  private static final GearGroups GROUPS = GearGroups.parse("3,7");
  private static final GearLayout RABBIT = RabbitLayout.of(GROUPS, 3, 2);
  private static final GearLayout PARAID = ParaidLayout.of(GROUPS, ParaidLayout.Order.EVEN);

  private static final int FILES = 7;
  private static final int BLOCKS = 7;

  @TempDir private static Path folder;
  private static PlacedCluster hdfs;
  private static List<List<Integer>> elsewhere;

  @BeforeAll
  static void start() throws IOException {
    hdfs = new PlacedCluster(folder);
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  @Test
  @Order(1)
  void withoutAGearFileHdfsPlacesByDefault() throws IOException {
    hdfs.write("/before", 2, 2);
    // The last replica of a file is reported after it was closed.
    await()
        .atMost(PlacedCluster.LONG)
        .until(() -> hdfs.nodes("/before").stream().allMatch(nodes -> nodes.size() == 2));
    assertThat(placement("State").asText()).startsWith("there is no file");
  }

  @Test
  @Order(2)
  void rabbitsBlocksLieAsThePlanSays() throws IOException {
    hdfs.shift(RABBIT, 2, "/data");
    assertPlanned(RABBIT, "/data");
    hdfs.write("/elsewhere", 12, 3);
    await()
        .atMost(PlacedCluster.LONG)
        .until(() -> hdfs.nodes("/elsewhere").stream().allMatch(nodes -> nodes.size() == 3));
    elsewhere = hdfs.nodes("/elsewhere");
    assertThat(hdfs.records().records()).isEmpty();
    assertNothingReplicated();
  }

  @Test
  @Order(3)
  void aBrokenGearFileLeavesPlacementToHdfs() throws IOException {
    hdfs.writeGearFile("{");
    await()
        .atMost(PlacedCluster.LONG)
        .until(() -> placement("State").asText().contains("cannot be read"));
    hdfs.write("/data/broken", 2, 2);
    assertThat(hdfs.isIntact("/data/broken", 2)).isTrue();
  }

  @Test
  @Order(4)
  void inALowGearBlocksGoToNodesThatAreOn() throws IOException {
    hdfs.shift(RABBIT, 1, "/data");
    hdfs.maintain(4, true);
    IntStream.rangeClosed(4, 7).parallel().forEach(node -> hdfs.cluster.stop(node));
    for (int file = 0; file < 5; file++) {
      hdfs.write("/data/low" + file, 4, 2);
    }
    await().atMost(PlacedCluster.LONG).until(() -> hdfs.records().records().size() == 20);
    List<OffloadRecord> records = hdfs.records().records();
    assertThat(records).allMatch(record -> RABBIT.isPlaced(record.homes()));
    for (int file = 0; file < 5; file++) {
      String path = "/data/low" + file;
      List<List<Integer>> logged =
          records.stream()
              .filter(record -> record.path().equals(path))
              .map(record -> sorted(record.chosen()))
              .toList();
      assertThat(logged).allMatch(nodes -> nodes.size() == 2 && nodes.get(1) <= 3);
      awaitNodes(path, logged);
      assertThat(hdfs.isIntact(path, 4)).isTrue();
    }
    for (int file = 0; file < FILES; file++) {
      assertThat(hdfs.isIntact("/data/f" + file, BLOCKS)).isTrue();
    }
    assertNothingReplicated();
  }

  @Test
  @Order(5)
  void aNameNodeThatRestartsInALowGearCopiesNothing() throws IOException {
    // A block all of whose nodes went into maintenance got a replica on one that did not.
    List<List<Integer>> kept = hdfs.nodes("/elsewhere");
    hdfs.cluster.kill(LocalHdfs.NAME_NODE);
    hdfs.cluster.launch(LocalHdfs.NAME_NODE);
    hdfs.cluster.awaitUp();
    hdfs.awaitAnswer();
    hdfs.write("/data/restarted", 4, 2);
    assertThat(hdfs.nodes("/data/restarted"))
        .allMatch(nodes -> nodes.size() == 2 && nodes.get(1) <= 3);
    await().atMost(PlacedCluster.LONG).until(() -> hdfs.records().records().size() == 24);
    assertThat(hdfs.records().damaged()).isZero();
    // It knows one replica of each old block, and asks for a place of the other.
    await()
        .atMost(PlacedCluster.LONG)
        .until(() -> placement("ReplicationsSpared").asLong() >= FILES * BLOCKS);
    assertNothingReplicated();
    // The same of files that HDFS itself places; 12 blocks of three replicas are not all on nodes 1
    // to 3.
    await()
        .atMost(PlacedCluster.LONG)
        .until(() -> placement("ReplicationsSparedElsewhere").asLong() > 0);
    List<List<Integer>> now = hdfs.nodes("/elsewhere");
    for (int block = 0; block < now.size(); block++) {
      List<Integer> before = new ArrayList<>(elsewhere.get(block));
      before.addAll(kept.get(block));
      assertThat(before).containsAll(now.get(block));
    }
    assertThat(placement("NodesHeardOf").asInt()).isEqualTo(3);
  }

  @Test
  @Order(6)
  void aTargetThatIsDeadIsReplaced() throws IOException {
    hdfs.cluster.kill(2);
    hdfs.write("/data/dead", 6, 2);
    assertThat(hdfs.isIntact("/data/dead", 6)).isTrue();
    assertThat(hdfs.nodes("/data/dead")).allMatch(nodes -> nodes.contains(1) || nodes.contains(3));
    assertThat(placement("LastError").asText()).isEmpty();
  }

  @Test
  @Order(7)
  void paraidsBlocksLieAsThePlanSaysAndGetNoCopiesThatNoGearNeeds() throws IOException {
    hdfs.store.delete(new org.apache.hadoop.fs.Path("/data"), true);
    for (int node : List.of(2, 4, 5, 6, 7)) {
      hdfs.cluster.launch(node);
    }
    hdfs.cluster.awaitUp();
    // Nobody writes: that nodes report is heard of all the same.
    await()
        .atMost(PlacedCluster.LONG)
        .until(() -> placement("NodesHeardOf").asInt() == GROUPS.nodes());
    hdfs.maintain(4, false);
    hdfs.shift(PARAID, 2, "/data");
    long spared = placement("ReplicationsSpared").asLong();
    long ordered = placement("ReplicationsOrdered").asLong();
    assertPlanned(PARAID, "/data");
    // Blocks of one replica in files of two: the NameNode asks for more, and gets none.
    await()
        .atMost(PlacedCluster.LONG)
        .until(() -> placement("ReplicationsSpared").asLong() > spared + FILES);
    assertThat(placement("ReplicationsOrdered").asLong()).isEqualTo(ordered);
  }

  private static void assertPlanned(GearLayout layout, String folder) throws IOException {
    Placer placer = layout.placer();
    for (int file = 0; file < FILES; file++) {
      String path = folder + "/f" + file;
      hdfs.write(path, BLOCKS, 2);
      List<List<Integer>> planned = new ArrayList<>();
      for (int block = 0; block < BLOCKS; block++) {
        planned.add(sorted(placer.next(path)));
      }
      awaitNodes(path, planned);
    }
  }

  /** Replicas are told to the NameNode one by one. */
  private static void awaitNodes(String path, List<List<Integer>> nodes) {
    await()
        .atMost(PlacedCluster.LONG)
        .untilAsserted(() -> assertThat(hdfs.nodes(path)).isEqualTo(nodes));
  }

  private static void assertNothingReplicated() throws IOException {
    assertThat(placement("ReplicationsOrdered").asLong()).isZero();
  }

  private static JsonNode placement(String attribute) throws IOException {
    return hdfs.bean("Calando:type=GearPlacement").path(attribute);
  }

  private static List<Integer> sorted(List<Integer> nodes) {
    return List.copyOf(new TreeSet<>(nodes));
  }
}
