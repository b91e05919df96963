package org.calando.store.hdfs.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.store.hdfs.HdfsNode;
import org.calando.store.hdfs.NodeTraffic;
import org.calando.store.hdfs.ReplicationCount;

/** Puts what servers say into Calando's words. */
public final class Reports {
  /** The NameNode's bean of itself and its nodes. */
  public static final String INFO = "Hadoop:service=NameNode,name=NameNodeInfo";

  private static final String STATE = "Hadoop:service=NameNode,name=FSNamesystemState";
  private static final String ACTIVITY = "Hadoop:service=DataNode,name=DataNodeActivity-*";
  private static final String NAME_NODE_ACTIVITY = "Hadoop:service=NameNode,name=NameNodeActivity";
  private static final String NODE_INFO = "Hadoop:service=DataNode,name=DataNodeInfo";

  private Reports() {}

  /** Nodes by name, of the report of all and that of the live ones. */
  public static List<HdfsNode> nodes(DatanodeInfo[] all, DatanodeInfo[] live) {
    Set<String> alive =
        Arrays.stream(live).map(DatanodeInfo::getXferAddr).collect(Collectors.toSet());
    return Arrays.stream(all)
        .map(node -> node(node, alive.contains(node.getXferAddr())))
        .sorted(Comparator.comparing(HdfsNode::name))
        .toList();
  }

  private static HdfsNode node(DatanodeInfo node, boolean live) {
    String uuid = node.getDatanodeUuid();
    return new HdfsNode(
        uuid == null ? "" : uuid,
        node.getXferAddr(),
        node.getHostName(),
        HdfsNode.State.valueOf(node.getAdminState().name()),
        live,
        Instant.ofEpochMilli(node.getLastBlockReportTime()));
  }

  /** Blocks of all files. */
  public static long blocks(Beans beans) {
    return bean(beans, STATE).path("BlocksTotal").asLong();
  }

  private static JsonNode bean(Beans beans, String name) {
    return beans.bean(name).orElse(MissingNode.getInstance());
  }

  /** Blocks that DataNodes sent by order. */
  public static Map<String, ReplicationCount> replicationCounts(Beans beans) {
    Map<String, ReplicationCount> counts = new TreeMap<>();
    JsonNode live = Beans.nested(bean(beans, INFO), "LiveNodes");
    for (JsonNode node : live) {
      String name = node.path("xferaddr").asText();
      count(beans, name, node.path("infoAddr").asText())
          .ifPresent(count -> counts.put(name, count));
    }
    return counts;
  }

  /** How long live nodes have been silent. */
  public static Map<String, Duration> silences(Beans beans) {
    Map<String, Duration> silences = new TreeMap<>();
    for (JsonNode node : Beans.nested(bean(beans, INFO), "LiveNodes")) {
      silences.put(
          node.path("xferaddr").asText(), Duration.ofSeconds(node.path("lastContact").asLong()));
    }
    return silences;
  }

  /** What live DataNodes read and wrote. */
  public static List<NodeTraffic> traffic(Beans beans) {
    List<NodeTraffic> all = new ArrayList<>();
    for (JsonNode node : Beans.nested(bean(beans, INFO), "LiveNodes")) {
      String server = node.path("infoAddr").asText();
      Optional<JsonNode> info = beans.beanOf(server, NODE_INFO);
      Optional<JsonNode> activity = beans.beanOf(server, ACTIVITY);
      if (info.isPresent() && activity.isPresent()) {
        all.add(
            new NodeTraffic(
                node.path("xferaddr").asText(),
                info.get().path("DNStartedTimeInMillis").asLong(),
                activity.get().path("BytesRead").asLong(),
                activity.get().path("BytesWritten").asLong()));
      }
    }
    return all;
  }

  /** Where each live DataNode shows its counters, by where it takes blocks. */
  public static Map<String, String> pages(Beans beans) {
    Map<String, String> pages = new TreeMap<>();
    for (JsonNode node : Beans.nested(bean(beans, INFO), "LiveNodes")) {
      pages.put(node.path("xferaddr").asText(), node.path("infoAddr").asText());
    }
    return pages;
  }

  /** Blocks that a DataNode has read for clients and written; empty if it does not answer. */
  public static Optional<Count> requests(Beans beans, String server) {
    return beans
        .beanOf(server, NODE_INFO)
        .flatMap(
            info ->
                beans
                    .beanOf(server, ACTIVITY)
                    .flatMap(activity -> requests(info, activity, System.nanoTime())));
  }

  /**
   * Blocks of a DataNode in its beans; empty if they are not in them.
   *
   * @param nanos when it was asked
   */
  static Optional<Count> requests(JsonNode info, JsonNode activity, long nanos) {
    return count(
        info.path("DNStartedTimeInMillis"),
        activity.path("ReadBlockOpNumOps"),
        activity.path("WriteBlockOpNumOps"),
        nanos);
  }

  /** Blocks that the NameNode has given out for writing; empty if it does not say. */
  public static Optional<Count> writes(Beans beans) {
    return writes(bean(beans, INFO), bean(beans, NAME_NODE_ACTIVITY), System.nanoTime());
  }

  /** The same in its beans. */
  static Optional<Count> writes(JsonNode info, JsonNode activity, long nanos) {
    return count(
        info.path("NNStartedTimeInMillis"),
        IntNode.valueOf(0),
        activity.path("AddBlockOps"),
        nanos);
  }

  private static Optional<Count> count(
      JsonNode started, JsonNode reads, JsonNode writes, long nanos) {
    return Stream.of(started, reads, writes).allMatch(JsonNode::isIntegralNumber)
        ? Optional.of(new Count(started.asLong(), nanos, reads.asLong(), writes.asLong()))
        : Optional.empty();
  }

  /** Empty for a node that has ended, and is live only because its death is not noticed yet. */
  private static Optional<ReplicationCount> count(Beans beans, String name, String server) {
    return beans
        .beanOf(server, NODE_INFO)
        .flatMap(
            info ->
                beans
                    .beanOf(server, ACTIVITY)
                    .map(
                        activity ->
                            new ReplicationCount(
                                name,
                                info.path("DNStartedTimeInMillis").asLong(),
                                activity.path("BlocksReplicated").asLong())));
  }
}
