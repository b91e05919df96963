package org.calando.store.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.Path;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.FileStore;
import org.calando.core.store.FileStore.StoredFile;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.calando.store.hdfs.TransferResult.Outcome;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The adapter on a real HDFS of four DataNodes; each test leaves all of them in service. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HdfsIT {
  private static final int NODES = 4;
  private static final int BLOCK_BYTES = 64 << 10;
  private static final FileStore.Shape TWICE = new FileStore.Shape(2, BLOCK_BYTES);
  private static final Duration TRANSFER = Duration.ofSeconds(60);

  private static LocalHdfs local;
  private static HdfsCluster cluster;
  private static HdfsFiles files;

  @BeforeAll
  static void start() {
    LocalHdfsConfig config =
        LocalHdfsConfig.builder().nodes(NODES).deadAfter(Duration.ofSeconds(11)).build();
    local = LocalHdfs.start(config);
    cluster = HdfsCluster.open(access(Duration.ofSeconds(90)));
    files = HdfsFiles.open(cluster, "/calando");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
    if (local != null) {
      local.close();
    }
  }

  @BeforeEach
  void allAreInServiceAndIdle() {
    eventually().until(() -> cluster.nodes().stream().filter(HdfsNode::inService).count() == NODES);
    eventually().until(() -> isQuiet() && state("LowRedundancyBlocks") == 0);
  }

  private static HdfsAccess access(Duration answerWithin) {
    return HdfsAccess.of(local.uri())
        .http(local.nameNodeHttp())
        .hostsFile(local.hostsFile())
        .answerWithin(answerWithin)
        .build();
  }

  private static ConditionFactory eventually() {
    return Awaitility.await().atMost(Duration.ofSeconds(90));
  }

  private static byte[] random(long seed, int bytes) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return content;
  }

  private static void write(String path, FileStore.Shape shape, byte[] content) {
    try (FileStore.Writer out = files.create(path, shape)) {
      for (int at = 0; at < content.length; at += 10_000) {
        out.write(content, at, Math.min(10_000, content.length - at));
      }
    }
  }

  private static long checksum(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return crc.getValue();
  }

  private static byte[] read(String path) {
    try (FileStore.Reader in = files.open(path)) {
      byte[] content = new byte[(int) in.length()];
      assertThat(in.read(0, content, 0, content.length)).isEqualTo(content.length);
      return content;
    }
  }

  private static FileBlocks blocks(String path) {
    return cluster.file(files.absolute(path)).orElseThrow();
  }

  /** A file whose replicas have all been reported. */
  private static FileBlocks settled(String path, int holders) {
    eventually()
        .until(
            () ->
                blocks(path).blocks().stream()
                    .allMatch(block -> block.holders().size() == holders));
    return blocks(path);
  }

  private static Map<Long, Set<String>> holders(FileBlocks file) {
    return file.blocks().stream()
        .collect(
            Collectors.toMap(FileBlocks.BlockReplicas::id, block -> Set.copyOf(block.holders())));
  }

  private static Map<String, HdfsNode> byUuid() {
    return cluster.nodes().stream().collect(Collectors.toMap(HdfsNode::uuid, Function.identity()));
  }

  private static HdfsNode node(String name) {
    return cluster.nodes().stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String name(int node) {
    return local.nodes().get(node - 1).transferAddress();
  }

  private static long sentByOrder() {
    return cluster.replicationCounts().values().stream().mapToLong(ReplicationCount::blocks).sum();
  }

  @Test
  void filesAreReadAsTheyWereWrittenAndListedWithTheirBlocks() {
    byte[] content = random(1, 5 * BLOCK_BYTES + 100);
    write("a/one", TWICE, content);
    write("a/b/two", TWICE, new byte[0]);
    assertThat(checksum(read("a/one"))).isEqualTo(checksum(content));
    try (FileStore.Reader in = files.open("a/one")) {
      byte[] some = new byte[20];
      assertThat(in.read(BLOCK_BYTES - 10, some, 0, 20)).isEqualTo(20);
      assertThat(some).isEqualTo(Arrays.copyOfRange(content, BLOCK_BYTES - 10, BLOCK_BYTES + 10));
      assertThat(in.read(content.length - 5, some, 0, 20)).isEqualTo(5);
      assertThat(in.read(content.length, some, 0, 20)).isEqualTo(-1);
    }
    assertThat(files.list("a"))
        .containsExactly(new StoredFile("a/b/two", 0), new StoredFile("a/one", content.length));

    FileBlocks file = settled("a/one", 2);
    assertThat(file.blocks()).hasSize(6).noneMatch(FileBlocks.BlockReplicas::corrupt);
    assertThat(file.replication()).isEqualTo(2);
    assertThat(file.open()).isFalse();
    assertThat(file.blocks().get(5).bytes()).isEqualTo(100);
    assertThat(file.blocks().get(5).offset()).isEqualTo(5L * BLOCK_BYTES);
    assertThat(byUuid().keySet()).containsAll(file.blocks().get(0).holders());
    Map<String, FileBlocks> listed = new HashMap<>();
    cluster.files("/calando/a", each -> listed.put(each.path(), each));
    assertThat(listed.keySet()).containsExactlyInAnyOrder("/calando/a/one", "/calando/a/b/two");
    assertThat(holders(listed.get("/calando/a/one"))).isEqualTo(holders(file));
    assertThat(listed.get("/calando/a/b/two").blocks()).isEmpty();

    assertThat(files.delete("a")).isTrue();
    assertThat(files.delete("a")).isFalse();
    assertThat(cluster.file("/calando/a/one")).isEmpty();
  }

  @Test
  void aFileThatIsBeingWrittenIsToldAsOpenAndReadable() {
    byte[] content = random(2, BLOCK_BYTES + 1000);
    try (FileStore.Writer out = files.create("open", TWICE)) {
      out.write(content, 0, content.length);
      out.flush();
      FileBlocks file = blocks("open");
      assertThat(file.open()).isTrue();
      assertThat(file.blocks()).hasSize(2);
    }
    assertThat(blocks("open").open()).isFalse();
    assertThat(read("open")).isEqualTo(content);
    assertThatThrownBy(() -> files.create("open", TWICE)).isInstanceOf(BadRequestException.class);
  }

  @Test
  void aTransferMovesExactlyOneReplica() {
    byte[] content = random(3, BLOCK_BYTES);
    write("moved", TWICE, content);
    FileBlocks.BlockReplicas block = settled("moved", 2).blocks().get(0);
    Map<String, HdfsNode> nodes = byUuid();
    String source = block.holders().get(0);
    String other = block.holders().get(1);
    HdfsNode target =
        nodes.values().stream()
            .filter(node -> !block.holders().contains(node.uuid()))
            .findFirst()
            .orElseThrow();
    final long before = sentByOrder();

    TransferResult result = cluster.transfer(block, source, nodes.get(other), target, TRANSFER);
    assertThat(result).isEqualTo(new TransferResult(Outcome.DONE, ""));
    eventually()
        .until(
            () ->
                Set.copyOf(blocks("moved").blocks().get(0).holders())
                    .equals(Set.of(other, target.uuid())));
    assertThat(cluster.transfer(block, source, nodes.get(other), target, TRANSFER).outcome())
        .isEqualTo(Outcome.EXISTS);
    HdfsNode empty =
        nodes.values().stream()
            .filter(node -> !block.holders().contains(node.uuid()) && !node.equals(target))
            .findFirst()
            .orElseThrow();
    assertThat(cluster.transfer(block, other, empty, nodes.get(source), TRANSFER).outcome())
        .as("a node that never had the block is asked for it")
        .isEqualTo(Outcome.FAILED);
    assertThat(read("moved")).isEqualTo(content);
    assertThat(sentByOrder()).isEqualTo(before);
  }

  @Test
  void maintenanceOrdersNoCopiesAndANodeThatComesBackReportsAnew() {
    byte[] content = random(4, 8 * BLOCK_BYTES);
    write("kept", TWICE, content);
    FileBlocks before = settled("kept", 2);
    List<String> all = cluster.nodes().stream().map(HdfsNode::name).toList();
    String name = name(4);
    final String uuid = node(name).uuid();
    final Map<String, ReplicationCount> counts = cluster.replicationCounts();

    cluster.setMaintenance(all, Set.of(name));
    eventually().until(() -> node(name).state() == HdfsNode.State.IN_MAINTENANCE);
    assertThat(cluster.maintenance(List.of(name))).containsExactly(name);
    local.stop(4);
    assertThat(blocks("kept").blocks()).noneMatch(block -> block.holders().contains(uuid));
    assertThat(read("kept")).isEqualTo(content);
    final Instant report = node(name).lastReport();
    // As long as it counts for live, nobody would miss it.
    eventually().until(() -> !node(name).live());
    write("new", TWICE, content);
    assertThat(settled("new", 2).blocks()).noneMatch(block -> block.holders().contains(uuid));
    eventually().until(() -> state("LowRedundancyBlocks") == 0);

    local.launch(4);
    eventually().until(() -> node(name).live() && node(name).lastReport().isAfter(report));
    assertThat(node(name).uuid()).isEqualTo(uuid);
    cluster.setMaintenance(all, Set.of());
    eventually().until(() -> node(name).inService());
    assertThat(holders(settled("kept", 2))).isEqualTo(holders(before));
    eventually().until(() -> isQuiet());
    cluster
        .replicationCounts()
        .forEach((node, count) -> assertThat(sentSince(counts.get(node), count)).as(node).isZero());
  }

  /** The last: a NameNode that comes back may order copies of what is reported late. */
  @Test
  @Order(Integer.MAX_VALUE)
  void theAdapterGoesOnWhenTheNameNodeComesBack() {
    byte[] content = random(5, 3 * BLOCK_BYTES);
    write("before", TWICE, content);
    settled("before", 2);
    local.kill(LocalHdfs.NAME_NODE);
    try (HdfsCluster impatient = unopened()) {
      assertThatThrownBy(impatient::nodes)
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("does not answer within 1 s");
    }
    local.launch(LocalHdfs.NAME_NODE);
    // Asked while it starts: first nobody listens, then it is in safe mode.
    assertThat(cluster.nodes()).hasSize(NODES);
    write("after", TWICE, content);
    local.awaitUp();
    assertThat(cluster.nodes()).allMatch(node -> node.lastReport().isAfter(Instant.EPOCH));
    assertThat(read("before")).isEqualTo(content);
    assertThat(read("after")).isEqualTo(content);
    assertThat(isInSafeMode()).isFalse();
  }

  /** One that is not asked for its settings first. */
  private static HdfsCluster unopened() {
    return HdfsCluster.unchecked(access(Duration.ofSeconds(1)));
  }

  @Test
  void whatTheClusterSaysOfItselfIsTold() {
    assertThat(cluster.version()).startsWith("3.");
    assertThat(cluster.setting("dfs.namenode.maintenance.replication.min")).contains("1");
    assertThat(cluster.setting("no.such.setting")).isEmpty();
    assertThat(cluster.bean("Hadoop:service=NameNode,name=NoSuchBean")).isEmpty();
    assertThat(cluster.replicationCounts()).hasSize(NODES);
    assertThat(figure("ReplicatedBlocksState", "MissingReplicatedBlocks")).isZero();
    assertThat(figure("ReplicatedBlocksState", "CorruptReplicatedBlocks")).isZero();
    assertThat(state("FilesTotal")).isPositive();
  }

  @Test
  void foldersOfOthersAndPathsThatLeadThereAreRefused() {
    cluster.nameNode().run("making a folder", fs -> fs.mkdirs(new Path("/others/data")));
    assertThatThrownBy(() -> HdfsFiles.open(cluster, "/others"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("/others");
    assertThatThrownBy(() -> HdfsFiles.open(cluster, "/")).isInstanceOf(BadRequestException.class);
    for (String path : List.of("../others/data", "/others", "", ".calando", "a//b", "a/./b")) {
      assertThatThrownBy(() -> files.delete(path)).isInstanceOf(BadRequestException.class);
      assertThatThrownBy(() -> files.create(path, TWICE)).isInstanceOf(BadRequestException.class);
    }
    assertThatThrownBy(() -> files.open("no/such")).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> cluster.files("/no/such", file -> {}))
        .isInstanceOf(BadRequestException.class);
    HdfsFiles again = HdfsFiles.open(cluster, "/calando");
    assertThat(again.folder()).isEqualTo("/calando");
    assertThat(again.list("")).extracting(StoredFile::path).doesNotContain(HdfsFiles.MARKER);
  }

  private static boolean isQuiet() {
    return !isInSafeMode()
        && state("PendingReconstructionBlocks")
                + state("ScheduledReplicationBlocks")
                + state("PendingDeletionBlocks")
            == 0;
  }

  private static boolean isInSafeMode() {
    return !bean("NameNodeInfo").path("Safemode").asText("?").isEmpty();
  }

  private static long state(String attribute) {
    return figure("FSNamesystemState", attribute);
  }

  private static long figure(String bean, String attribute) {
    return bean(bean).path(attribute).asLong();
  }

  private static JsonNode bean(String name) {
    return cluster.bean("Hadoop:service=NameNode,name=" + name).orElse(MissingNode.getInstance());
  }

  /** A count of another process begins at zero. */
  private static long sentSince(ReplicationCount earlier, ReplicationCount now) {
    return now.startedMillis() == earlier.startedMillis()
        ? now.blocks() - earlier.blocks()
        : now.blocks();
  }
}
